import type { Position } from '@skillyard/contracts';
import { nestedLists, quoted, type Skill, type Step, type StepOf, type Workflow } from '@skillyard/engine';
import { conditionsOf, type PlacedCondition } from './conditions.ts';
import type { Facts } from './facts.ts';
import type { LintOptions } from './lint-options.ts';
import { type Read, readsOf } from './reads.ts';
import type { RuleReport } from './rule-report.ts';

/** A skill and what is known of its surroundings. */
export interface SkillSubject {
  /** The file, with one kind of line end. */
  readonly source: string;
  readonly skill: Skill;
  readonly facts: Facts;
  readonly options: LintOptions;
}

/** A skill whose workflow is valid. */
export interface FlowSubject extends SkillSubject {
  readonly workflow: Workflow;
  /** Every step, in document order. */
  readonly steps: readonly PlacedStep[];
  /** The conditions of each step. */
  readonly conditions: ReadonlyMap<Step, readonly PlacedCondition[]>;
  /** What each step reads. */
  readonly reads: ReadonlyMap<Step, readonly Read[]>;
}

/** A step, and how findings name it. */
export interface PlacedStep<S extends Step = Step> {
  readonly step: S;
  /** Its name, or else its place: `#2`, `lap.steps#1`. */
  readonly place: string;
  /** How a message begins. */
  readonly label: string;
}

/** What a rule does with a skill. */
export type SkillCheck = (subject: SkillSubject, report: RuleReport) => void;
/** What a rule does with a skill whose workflow is valid. */
export type FlowCheck = (subject: FlowSubject, report: RuleReport) => void;

/** Where a key of the header stands, or the beginning of the file. */
export function headerPosition(skill: Skill, key: string): Position {
  return skill.keys.get(key) ?? { line: 1, column: 1 };
}

/** Where a key of a step stands, moved or not, or the step itself. */
export function stepPosition(step: Step, key: string): Position {
  return step.keys.get(key) ?? step.keys.get(key.slice(key.indexOf('.') + 1)) ?? step.position;
}

/** The steps of one kind. */
export function stepsOf<Kind extends Step['kind']>(
  steps: readonly PlacedStep[],
  kind: Kind,
): readonly PlacedStep<StepOf<Kind>>[] {
  return steps.filter((placed): placed is PlacedStep<StepOf<Kind>> => placed.step.kind === kind);
}

/** What happens at the two ends of a step in document order. */
export interface FlowVisitor {
  readonly enter: (placed: PlacedStep) => void;
  /** After everything that is nested in it. */
  readonly leave?: (placed: PlacedStep) => void;
}

/** Walks steps in document order. */
export function walkFlow(steps: readonly Step[], visitor: FlowVisitor, around = ''): void {
  for (const [index, step] of steps.entries()) {
    const place = step.name === '' ? `${around}#${index + 1}` : step.name;
    const placed = { step, place, label: step.name === '' ? `Step ${place}` : `Step ${quoted(place)}` };
    visitor.enter(placed);
    const names = listNames(step);
    for (const [at, list] of nestedLists(step).entries()) {
      walkFlow(list, visitor, `${place}.${names[at] ?? ''}`);
    }
    visitor.leave?.(placed);
  }
}

/** The names of the lists that are nested in a step, in the order of `nestedLists`. */
function listNames(step: Step): readonly string[] {
  switch (step.kind) {
    case 'switch':
      return [...step.cases.map(({ value }) => `cases.${value}`), 'default'];
    case 'if':
      return ['then', 'else'];
    case 'for_each':
      return ['steps'];
    case 'parallel':
      return step.branches.map((_, index) => `branches[${index}]`);
    default:
      return [];
  }
}

/** Every step in document order. */
export function allSteps(workflow: Workflow): readonly PlacedStep[] {
  const steps: PlacedStep[] = [];
  walkFlow(workflow.steps, { enter: (placed) => void steps.push(placed) });
  return steps;
}

/** A skill with its workflow, and what several rules ask of the steps. */
export function flowSubject(subject: SkillSubject, workflow: Workflow): FlowSubject {
  const steps = allSteps(workflow);
  const conditions = new Map(steps.map(({ step }) => [step, conditionsOf(step)]));
  const reads = new Map(steps.map(({ step }) => [step, readsOf(step, conditions.get(step) ?? [])]));
  return { ...subject, workflow, steps, conditions, reads };
}
