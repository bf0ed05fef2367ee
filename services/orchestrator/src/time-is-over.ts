import type { JobId, TurnId } from '@skillyard/contracts';
import { postCancel, postExpiry, postResult, type QueueConnection, Questions } from '@skillyard/queue';

/** The limit of seconds of a turn is reached. A turn that ended meanwhile ignores it. */
export async function turnExpired(connection: QueueConnection, turnId: TurnId): Promise<void> {
  await postExpiry(connection, turnId);
}

/** The time has come by which a turn should have ended. A turn that ended meanwhile ignores it. */
export async function turnCutOff(connection: QueueConnection, turnId: TurnId): Promise<void> {
  await postCancel(connection, turnId, { code: 'TURN_CANCELLED', message: 'its deadline was reached' });
}

/**
 * A job that no worker holds took longer than its step allows: a delegated turn or a person.
 * A job that was answered meanwhile has nobody who waits for this result.
 * @param child the turn that does the job, if it is one of ours
 */
export async function jobTimedOut(connection: QueueConnection, jobId: JobId, child: TurnId): Promise<void> {
  if (await new Questions(connection).expire(jobId)) return;
  const error = { code: 'STEP_TIMEOUT', message: 'it took longer than the timeout of the step' };
  await postResult(connection, { jobId, status: 'error', text: '', error });
  await postCancel(connection, child, {
    code: 'TURN_CANCELLED',
    message: 'the step that delegated to it timed out',
  });
}
