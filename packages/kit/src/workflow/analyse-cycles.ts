import type { StepConfig } from '../definition/skill-definition.ts';
import { CycleGuardError } from '../kit-error.ts';
import { cyclesOf } from './cycles-of.ts';

/** Visits after which a step that nobody has bounded may not be entered again. */
const DEFAULT_MAX_VISITS = 10;

/** What of a step the graph is made of. */
export type GraphStep = Pick<StepConfig, 'next' | 'maxVisits' | 'onMaxVisits'>;
export type Graph = Readonly<Record<string, GraphStep>>;

export interface CycleAnalysis {
  /**
   * Steps that lie on a cycle, in the order in which they are found. A way from a step to itself that is one of several is no
   * cycle here: it is how an answer is asked for again.
   */
  readonly stepsInCycles: readonly string[];
  readonly defaultMaxVisits: number;
}

/**
 * Finds the cycles of a skill's graph. A function may lead anywhere; it counts as an edge to every other step.
 * @throws CycleGuardError if a step on a cycle has an `onMaxVisits` that names no step
 */
export function analyseCycles(steps: Graph): CycleAnalysis {
  const stepsInCycles = cyclesOf(edgesOf(steps, Object.keys(steps), withoutOptionalSelf));
  for (const step of stepsInCycles) {
    const fallback = steps[step]?.onMaxVisits;
    if (fallback !== undefined && !Object.hasOwn(steps, fallback)) {
      throw new CycleGuardError(
        `Step "${step}" lies on a cycle and its onMaxVisits is "${fallback}", which is no step; name one that ends the cycle`,
      );
    }
  }
  return { stepsInCycles, defaultMaxVisits: DEFAULT_MAX_VISITS };
}

/**
 * How often each step may be visited: `maxVisits` where it is declared. Else there is a limit only for a step on a cycle that
 * passes no step with a `maxVisits` that is not used up, ways from a step to itself included.
 */
export function visitLimits(steps: Graph): ReadonlyMap<string, number> {
  const unbounded = Object.keys(steps).filter((step) => steps[step]?.maxVisits === undefined);
  const onCycles = cyclesOf(
    edgesOf(steps, unbounded, (step, config, nodes) =>
      targetsOf(step, config, nodes).map((target) => pastBounded(steps, target)),
    ),
  );
  const limits = new Map(onCycles.map((step) => [step, DEFAULT_MAX_VISITS]));
  for (const [step, { maxVisits }] of Object.entries(steps)) {
    if (maxVisits !== undefined) {
      limits.set(step, maxVisits);
    }
  }
  return limits;
}

/** Where one comes to who wants to enter a step whose visits are used up: it bounds nothing any more then. */
function pastBounded(steps: Graph, target: string): string {
  const passed = new Set<string>();
  let step = target;
  for (
    let fallback = steps[step]?.onMaxVisits;
    steps[step]?.maxVisits !== undefined && fallback !== undefined && !passed.has(fallback);
    fallback = steps[step]?.onMaxVisits
  ) {
    passed.add(fallback);
    step = fallback;
  }
  return step;
}

/** The targets a step declares in words, `self` as its own name; null when a function decides. */
export function declaredTargets(step: string, { next }: GraphStep): readonly string[] | null {
  if (typeof next === 'function') {
    return null;
  }
  const targets = typeof next === 'string' ? [next] : 'terminal' in next ? [] : next.map(({ to }) => to);
  return targets.map((target) => (target === 'self' ? step : target));
}

function edgesOf(
  steps: Graph,
  nodes: readonly string[],
  targets: (step: string, config: GraphStep, nodes: readonly string[]) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, readonly string[]>();
  for (const node of nodes) {
    const config = steps[node];
    if (config !== undefined) {
      edges.set(node, targets(node, config, nodes));
    }
  }
  return edges;
}

function targetsOf(step: string, config: GraphStep, nodes: readonly string[]): readonly string[] {
  const next = declaredTargets(step, config) ?? nodes;
  return config.onMaxVisits === undefined ? next : [...next, config.onMaxVisits];
}

function withoutOptionalSelf(step: string, config: GraphStep, nodes: readonly string[]): readonly string[] {
  const targets = targetsOf(step, config, nodes);
  const isNamed = Array.isArray(config.next) && config.next.some(({ to }) => to === step);
  return isNamed || targets.every((target) => target === step)
    ? targets
    : targets.filter((target) => target !== step);
}
