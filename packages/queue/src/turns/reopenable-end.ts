import type { JobId, StepError, StepJob, StepResult } from '@skillyard/contracts';

/**
 * The end of a turn by results of jobs: one that has come, or one that is bound to come when what still runs beside a
 * failed branch or iteration has ended. The turn can be taken back to before the first of those results.
 */
export interface ReopenableEnd {
  /** The results of this commit that end the turn: none when an earlier commit had one. */
  readonly fatal: readonly EndingResult[];
  /** All results of this commit in the order they were applied, and those that came too late for it. */
  readonly results: readonly StepResult[];
}

/** A result that ended a turn, without what it brought. */
export interface EndingResult {
  readonly jobId: JobId;
  readonly kind: StepJob['kind'];
  readonly status: StepResult['status'];
  readonly error: StepError | null;
  /** Whether running the job once more could repeat something that must not happen twice. */
  readonly mayRepeat: boolean;
}
