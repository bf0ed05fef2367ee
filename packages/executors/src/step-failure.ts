import { type ErrorCode, SkillyardError, type StepJob, type StepResult } from '@skillyard/contracts';
import { setMaxListeners } from 'node:events';
import type { JobContext } from './executor.ts';

/** A result before it is known which job it answers. */
export type Outcome = Omit<StepResult, 'jobId'>;

/** A failed step. Codes of a permission refusal give the status `denied`. */
export function failure(code: ErrorCode, message: string): Outcome {
  const denied = code === 'TOOL_DENIED' || code === 'STEP_DENIED' || code === 'COMMAND_DENIED';
  return { status: denied ? 'denied' : 'error', text: '', error: { code, message } };
}

/** The outcome of an error that was thrown on the way. */
export function failureOf(error: SkillyardError): Outcome {
  const outcome = failure(error.code, error.message);
  const { retryAfterMs } = error.details;
  if (typeof retryAfterMs !== 'number' || outcome.error === undefined) return outcome;
  return { ...outcome, error: { ...outcome.error, retryAfterMs } };
}

/** Why a signal was aborted, as an error of ours. */
export function abortError(signal: AbortSignal): SkillyardError {
  const reason: unknown = signal.reason;
  if (SkillyardError.is(reason)) return reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new SkillyardError('STEP_TIMEOUT', 'The step took longer than its timeout and was stopped.');
  }
  return new SkillyardError('TURN_CANCELLED', 'The turn was cancelled while the step ran.');
}

/**
 * Runs the work of a job and turns whatever is thrown into a result (rule E1).
 * An abort outranks the error it caused: what a library throws when its signal fires says nothing to a reader.
 */
export async function settle(
  job: StepJob,
  context: JobContext,
  work: () => Promise<Outcome>,
): Promise<StepResult> {
  return { jobId: job.id, ...(await outcomeOf(context, work)) };
}

async function outcomeOf({ signal }: JobContext, work: () => Promise<Outcome>): Promise<Outcome> {
  if (signal.aborted) return failureOf(abortError(signal));
  // A driver may give one signal to every job of a turn; Node warns of more than ten listeners.
  setMaxListeners(0, signal);
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return failureOf(abortError(signal));
    if (SkillyardError.is(error)) return failureOf(error);
    const reason = error instanceof Error ? error.message : String(error);
    return failure('STEP_FAILED', `The step failed in an unexpected way: ${reason}`);
  }
}
