import type { JobId, StepError, StepResult } from '@skillyard/contracts';

/** The end of a turn by the result of a job, before which the turn can be taken back. */
export interface ReopenableEnd {
  readonly by: EndingResult;
  /** Other results of the turn that this commit would have applied, or that came too late for it. */
  readonly results: readonly StepResult[];
}

/** The result that ended a turn, without what it brought. */
export interface EndingResult {
  readonly jobId: JobId;
  readonly status: StepResult['status'];
  readonly error: StepError | null;
  /** Whether running the job once more could repeat something that must not happen twice. */
  readonly mayRepeat: boolean;
}
