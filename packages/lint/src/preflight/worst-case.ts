import {
  type InstructionCode,
  type Limits,
  type Step,
  type StepOf,
  toolLoopCeilings,
  type Workflow,
} from '@skillyard/engine';

/** The most that a turn may ask for, from its description alone. Attempts at one job are not counted: they are its retries. */
export interface WorstCase {
  readonly generations: number;
  readonly calls: number;
  /** Turns of other skills; what those ask for is not in the other numbers. */
  readonly delegations: number;
  readonly questions: number;
  /** The generations, by the name of their model; '' is the default one. */
  readonly byModel: ReadonlyMap<string, ModelUse>;
}

/** What one model is asked for. */
interface ModelUse {
  readonly generations: number;
  /** The most tokens that all its answers may have; those without a ceiling are counted in `unbounded`. */
  readonly outputTokens: number;
  /** Generations whose answers have no ceiling of their own. */
  readonly unbounded: number;
}

const NOTHING: WorstCase = { generations: 0, calls: 0, delegations: 0, questions: 0, byModel: new Map() };

/** The worst case of a workflow. Of branches that exclude each other the dearest counts, number by number. */
export function worstCase(workflow: Workflow): WorstCase {
  const counted = ofList(workflow.steps, workflow);
  const { limits } = workflow;
  if (limits === null) return counted;
  const generations = atMost(counted.generations, limits.generations);
  return {
    ...counted,
    generations,
    calls: atMost(counted.calls, limits.calls),
    byModel: generations < counted.generations ? capped(counted.byModel, generations) : counted.byModel,
  };
}

/** The worst case of a playbook: one model step for the whole turn. */
export function worstCaseOfPlaybook(step: InstructionCode): WorstCase {
  return ofModelStep(step, step.tools ?? []);
}

/** The worst case of code, which decides by itself: what its limits let through, and nothing is known without them. */
export function worstCaseOfCode(limits: Limits | null): WorstCase {
  const generations = limits?.generations ?? 0;
  const use = { generations, outputTokens: 0, unbounded: generations };
  const byModel = new Map(generations > 0 ? [['', use]] : []);
  return { ...NOTHING, generations, calls: limits?.calls ?? 0, byModel };
}

function ofList(steps: readonly Step[], workflow: Workflow): WorstCase {
  return steps.map((step) => ofStep(step, workflow)).reduce(plus, NOTHING);
}

function ofStep(step: Step, workflow: Workflow): WorstCase {
  switch (step.kind) {
    case 'instruction':
      return ofModelStep(step, toolsOf(step, workflow));
    case 'call':
      return { ...NOTHING, calls: 1 };
    case 'delegate':
      return { ...NOTHING, delegations: 1 };
    case 'ask':
      return { ...NOTHING, questions: 1 };
    case 'if':
      return [step.then, step.else].map((list) => ofList(list, workflow)).reduce(dearest, NOTHING);
    case 'switch':
      return [...step.cases.map((one) => one.steps), step.default]
        .map((list) => ofList(list, workflow))
        .reduce(dearest, NOTHING);
    case 'for_each':
      return times(ofList(step.steps, workflow), step.maxIterations);
    case 'parallel':
      return step.branches.map((branch) => ofList(branch, workflow)).reduce(plus, NOTHING);
    default:
      return NOTHING;
  }
}

function toolsOf(step: StepOf<'instruction'>, { tools }: Workflow): readonly string[] {
  if (step.onServer !== '') return [step.onServer];
  return step.tools ?? tools ?? [];
}

/**
 * A round of the tool loop that is not the last makes a call or a miss, a call may turn out to be a miss, and the answer
 * is a generation of its own.
 */
function ofModelStep(
  step: Pick<InstructionCode, 'maxCalls' | 'maxToolErrors' | 'onEmptyRetries' | 'model' | 'sampling'>,
  tools: readonly string[],
): WorstCase {
  const { calls, misses } = toolLoopCeilings(step);
  const attempts = 1 + step.onEmptyRetries;
  const generations = attempts * (tools.length === 0 ? 1 : calls + misses + 2);
  const most = step.sampling?.max_tokens ?? 0;
  const use = {
    generations,
    outputTokens: most * generations,
    unbounded: most === 0 ? generations : 0,
  };
  return {
    ...NOTHING,
    generations,
    calls: tools.length === 0 ? 0 : attempts * (calls + misses),
    byModel: new Map([[step.model, use]]),
  };
}

type Combine = (a: number, b: number) => number;

function plus(a: WorstCase, b: WorstCase): WorstCase {
  return combined(a, b, (one, other) => one + other);
}

function dearest(a: WorstCase, b: WorstCase): WorstCase {
  return combined(a, b, Math.max);
}

function times(one: WorstCase, count: number): WorstCase {
  return combined(one, NOTHING, (number) => number * count);
}

function combined(a: WorstCase, b: WorstCase, combine: Combine): WorstCase {
  const models = new Set([...a.byModel.keys(), ...b.byModel.keys()]);
  const none: ModelUse = { generations: 0, outputTokens: 0, unbounded: 0 };
  return {
    generations: combine(a.generations, b.generations),
    calls: combine(a.calls, b.calls),
    delegations: combine(a.delegations, b.delegations),
    questions: combine(a.questions, b.questions),
    byModel: new Map(
      [...models].map((model) => [
        model,
        combinedUse(a.byModel.get(model) ?? none, b.byModel.get(model) ?? none, combine),
      ]),
    ),
  };
}

function combinedUse(a: ModelUse, b: ModelUse, combine: Combine): ModelUse {
  return {
    generations: combine(a.generations, b.generations),
    outputTokens: combine(a.outputTokens, b.outputTokens),
    unbounded: combine(a.unbounded, b.unbounded),
  };
}

function atMost(count: number, limit: number): number {
  return limit > 0 ? Math.min(count, limit) : count;
}

/** A limit of the turn holds for all models together, so for each of them: which one reaches it is not known. */
function capped(byModel: WorstCase['byModel'], generations: number): Map<string, ModelUse> {
  return new Map(
    [...byModel].map(([model, use]) => {
      const left = Math.min(use.generations, generations);
      const share = use.generations === 0 ? 0 : left / use.generations;
      return [
        model,
        {
          generations: left,
          outputTokens: Math.ceil(use.outputTokens * share),
          unbounded: Math.ceil(use.unbounded * share),
        },
      ];
    }),
  );
}
