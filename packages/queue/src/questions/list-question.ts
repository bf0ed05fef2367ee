import type { JobId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';

/*
 * The list of the open questions of a tenant, by the time they were asked.
 *
 * L1 A question is entered after the commit that asks it, and before what asked for the commit is acknowledged: a crash in
 *    between means that it is entered by whoever takes the turn over (Q2).
 * L2 It is taken out after the commit that settles it. One that stays behind because of a crash is in no outbox, and is
 *    taken out by whoever meets it in the list.
 */

/** Enters a question into the list of its tenant. May be repeated: it keeps the time at which it was entered first. */
export async function enterQuestion(
  { redis, keys }: QueueConnection,
  tenant: string,
  jobId: JobId,
  nowMs: number,
): Promise<void> {
  await redis.zadd(keys.questions(tenant), 'NX', nowMs, jobId);
}

/** Takes questions out of the list of their tenant. */
export async function leaveQuestions(
  { redis, keys }: QueueConnection,
  tenant: string,
  jobIds: readonly JobId[],
): Promise<void> {
  if (jobIds.length > 0) await redis.zrem(keys.questions(tenant), ...jobIds);
}
