import { type JobNoticed, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { NOTICE } from '../scripts/claim-script.ts';

/**
 * Adds to the trace of a turn what happened to one of its jobs, also after the turn has ended.
 * The trace is for people: nothing is decided by a notice, and none may be there twice or not at all after a crash.
 */
export async function noticeJob(connection: QueueConnection, event: JobNoticed): Promise<void> {
  const keys = connection.keys.turn(turnOfJob(event.jobId));
  await NOTICE.run(connection.redis, { keys: [keys.meta, keys.trace], args: [JSON.stringify(event)] });
}
