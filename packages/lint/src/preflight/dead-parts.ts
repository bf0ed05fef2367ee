import type { Position } from '@skillyard/contracts';
import {
  nestedLists,
  parseTemplate,
  type Step,
  stringsIn,
  type Workflow,
  writtenVariables,
} from '@skillyard/engine';
import { readsOf } from '../reads.ts';
import { allSteps, stepPosition, walkFlow } from '../subject.ts';

/** A step that never runs. */
export interface UnreachableStep {
  readonly step: string;
  readonly position: Position;
  readonly reason: string;
}

/** A variable that is written and never read. */
export interface UnreadVariable {
  readonly variable: string;
  readonly position: Position;
}

/** Steps behind one that always ends the turn. Nested steps of an unreachable one are not listed again. */
export function unreachableSteps(workflow: Workflow): UnreachableStep[] {
  const found: UnreachableStep[] = [];
  const places = new Map<Step, string>();
  walkFlow(workflow.steps, { enter: ({ step, place }) => void places.set(step, place) });
  const look = (steps: readonly Step[]): void => {
    const last = steps.findIndex(alwaysEnds);
    for (const [index, step] of steps.entries()) {
      if (last >= 0 && index > last) {
        const before = places.get(steps[last] as Step) ?? '';
        const reason = `"${before}" before it ends the turn whatever happens`;
        found.push({ step: places.get(step) ?? '', position: step.position, reason });
      } else {
        for (const list of nestedLists(step)) look(list);
      }
    }
  };
  look(workflow.steps);
  return found;
}

/** Whether nothing after a step can run. A loop may have no items, and a branch of a fork ends itself only. */
function alwaysEnds(step: Step): boolean {
  if (step.when !== '') return false;
  switch (step.kind) {
    case 'exit':
      return true;
    case 'if':
      return step.then.some(alwaysEnds) && step.else.some(alwaysEnds);
    case 'switch':
      return [...step.cases.map(({ steps }) => steps), step.default].every((list) => list.some(alwaysEnds));
    default:
      return false;
  }
}

/** Variables that steps write and nothing in the flow reads. `answer` is read by whoever asked. */
export function unreadVariables(workflow: Workflow): UnreadVariable[] {
  const steps = allSteps(workflow).map(({ step }) => step);
  const read = new Set(steps.flatMap((step) => readsOf(step).map(({ reference }) => reference.base)));
  // What a person is told, and what a tool server is asked for, is read as well.
  const further = steps.flatMap((step) => (step.kind === 'exit' ? [step.reason] : []));
  for (const { args } of workflow.assets.values()) further.push(...stringsIn(args));
  for (const text of further) for (const name of variablesIn(text)) read.add(name);
  const found = new Map<string, UnreadVariable>();
  for (const step of steps) {
    for (const [variable, key] of writesOf(step)) {
      if (variable === 'answer' || read.has(variable) || found.has(variable)) continue;
      found.set(variable, { variable, position: stepPosition(step, key) });
    }
  }
  return [...found.values()];
}

function variablesIn(text: string): string[] {
  return parseTemplate(text).parts.flatMap((part) =>
    typeof part !== 'string' && 'ref' in part ? [part.ref.base] : [],
  );
}

/** What a step writes, and the key that says so. What comes with it (`x.skipped`) is not asked after. */
function writesOf(step: Step): [variable: string, key: string][] {
  return writtenVariables(step)
    .filter((variable) => !variable.includes('.'))
    .map((variable) => [variable, keyOf(step, variable)]);
}

function keyOf(step: Step, variable: string): string {
  if (variable === step.saveAs) return 'save_as';
  if (step.kind === 'set') return 'set';
  if (step.kind === 'for_each') return variable === step.as ? 'for_each.as' : 'for_each.collect';
  return step.kind === 'parallel' ? 'parallel.collect' : 'save_as';
}
