import type { Config, LoopPlan, Position } from '@skillyard/contracts';
import { compileProgram, planLoop, type Program, type Skill, type Step } from '@skillyard/engine';
import { turnSettings } from '@skillyard/runtime';

/** Whether a loop runs several iterations at once, and why or why not. */
export interface LoopReport {
  /** Empty when the step has none. */
  readonly name: string;
  readonly position: Position;
  readonly plan: LoopPlan;
}

/** What would become of the loops of a skill under a configuration, in the order of the file. */
export function reportLoops(skill: Skill, config: Config): LoopReport[] {
  if (skill.workflow === null) return [];
  const program = compileProgram(skill, 'workflow');
  const settings = turnSettings(config);
  const reports: LoopReport[] = [];
  walk(skill.workflow.steps, 0);
  return reports;

  /** Steps and their compiled form stand at the same index of their lists. */
  function walk(steps: readonly Step[], list: number): void {
    for (const [index, step] of steps.entries()) {
      const code = program.lists[list]?.[index];
      if (code === undefined) continue;
      if (code.kind === 'for_each') {
        reports.push({ name: step.name, position: step.position, plan: planLoop(code, settings) });
      }
      for (const [inside, number] of nested(step, code)) walk(inside, number);
    }
  }
}

type Code = Program['lists'][number][number];

/** The lists nested in a step, each with its number in the program. */
function nested(step: Step, code: Code): [readonly Step[], number][] {
  if (step.kind === 'for_each' && code.kind === 'for_each') return [[step.steps, code.body]];
  if (step.kind === 'if' && code.kind === 'if') {
    return [
      [step.then, code.thenList],
      [step.else, code.elseList],
    ];
  }
  if (step.kind === 'switch' && code.kind === 'switch') {
    const cases = step.cases.map((one, index): [readonly Step[], number] => [
      one.steps,
      code.cases[index]?.list ?? -1,
    ]);
    return [...cases, [step.default, code.defaultList]];
  }
  if (step.kind === 'parallel' && code.kind === 'parallel') {
    return step.branches.map((branch, index) => [branch, code.branches[index] ?? -1]);
  }
  return [];
}
