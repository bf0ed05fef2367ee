import type { StepJob, StepResult } from '@skillyard/contracts';

/** What an executor is told beside the job. */
export interface JobContext {
  /**
   * Aborted when the turn is cancelled or the step's time is over. Its reason is a SkillyardError that says which; a
   * driver that keeps a process alive relies on every executor ending soon after.
   */
  readonly signal: AbortSignal;
}

/**
 * Does one kind of outside work.
 *
 * E1 A failure of the outside world is a result, never an exception: status `error` or `denied`, a code of the
 *    catalogue, and a message that says what is wrong, where, and what to do.
 * E2 Nothing is retried here. The kind of the code tells the driver whether it may try again. Assets are the exception:
 *    how often is part of the skill (assets/fetch-policy.ts).
 * E3 No result, message or log holds a secret of the configuration.
 */
export interface Executor<J extends StepJob> {
  execute(job: J, context: JobContext): Promise<StepResult>;
  /** Ends child processes and connections. Safe to call twice. */
  close?(): Promise<void>;
}
