import type { SkillDefinition, StepConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { analyseCycles } from '../workflow/analyse-cycles.ts';
import type { KitDiagnostic } from './kit-diagnostic.ts';
import { stringLiterals } from './string-literals.ts';

/** Steps that can be come back to and have no limit of their own. */
export function lintCycles({ steps }: SkillDefinition): KitDiagnostic[] {
  let cyclic: readonly string[];
  try {
    cyclic = analyseCycles(steps).stepsInCycles;
  } catch (error) {
    if (!KitError.is(error, 'CYCLE_GUARD')) throw error;
    return [{ rule: 'cycle-guard', severity: 'error', message: error.message }];
  }
  // A function may return anything. That it returns to its own step is believed when its code says so.
  const repeating = Object.keys(steps).filter((name) => repeatsItself(name, steps[name]));
  const others = new Set(cyclic.filter((name) => repeating.includes(name) || !isLoneFunction(name, steps)));
  return [...new Set([...others, ...repeating])]
    .filter((name) => steps[name]?.maxVisits === undefined)
    .map((name) => ({
      rule: 'cycle-guard' as const,
      severity: 'warning' as const,
      message: `step "${name}" can be reached again from itself and has no maxVisits: it is stopped after 10 visits`,
    }));
}

function repeatsItself(name: string, step: StepConfig | undefined): boolean {
  if (step === undefined) return false;
  if (typeof step.next !== 'function') return staticTargets(step).some((to) => to === 'self' || to === name);
  return stringLiterals(step.next.toString()).some((text) => text === 'self' || text === name);
}

/** Whether a step lies on a cycle for no other reason than that its function may return its own name. */
function isLoneFunction(name: string, steps: SkillDefinition['steps']): boolean {
  const step = steps[name];
  if (typeof step?.next !== 'function') return false;
  const { stepsInCycles } = analyseCycles({ ...steps, [name]: { ...step, next: othersThan(name, steps) } });
  return !stepsInCycles.includes(name);
}

function othersThan(name: string, steps: SkillDefinition['steps']): Array<{ readonly to: string }> {
  return Object.keys(steps)
    .filter((other) => other !== name)
    .map((to) => ({ to }));
}

/** Targets that lead to nothing. */
export function lintTargets(definition: SkillDefinition): KitDiagnostic[] {
  return Object.entries(definition.steps).flatMap(([step, config]) =>
    [...new Set(allTargets(config))]
      .filter((target) => !exists(target, definition))
      .map((target) => ({
        rule: 'dead-target' as const,
        severity: 'error' as const,
        step,
        message: `step "${step}" leads to "${target}", which is no step, no subskill: and no topic: of this skill`,
      })),
  );
}

function exists(target: string, definition: SkillDefinition): boolean {
  if (target === 'self' || Object.hasOwn(definition.steps, target)) return true;
  if (target.startsWith('subskill:')) return has(definition.subskills, target.slice('subskill:'.length));
  return target.startsWith('topic:') && has(definition.topics, target.slice('topic:'.length));
}

function has(record: object | undefined, key: string): boolean {
  return record !== undefined && Object.hasOwn(record, key);
}

/** Steps that no way from the entry leads to. */
export function lintReach({ entry, steps }: SkillDefinition): KitDiagnostic[] {
  const reached = new Set<string>();
  const open = [entry];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const step = steps[name];
    if (step === undefined || reached.has(name)) continue;
    reached.add(name);
    open.push(...(typeof step.next === 'function' ? Object.keys(steps) : []), ...allTargets(step));
  }
  return Object.keys(steps)
    .filter((name) => !reached.has(name))
    .map((step) => ({
      rule: 'unreachable-step' as const,
      severity: 'warning' as const,
      step,
      message: `no way from the entry leads to step "${step}"`,
    }));
}

/** Where a step leads when it is left for `onMaxVisits`, too. */
function allTargets(step: StepConfig): string[] {
  return [...staticTargets(step), ...(step.onMaxVisits === undefined ? [] : [step.onMaxVisits])];
}

function staticTargets({ next }: StepConfig): string[] {
  if (typeof next === 'string') return [next];
  if (typeof next === 'function' || 'terminal' in next) return [];
  return next.map((branch) => branch.to);
}
