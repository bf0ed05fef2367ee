import { type StepResult, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from './connection.ts';
import { STASH } from './scripts/claim-script.ts';

/** A result larger than this goes through the turn's payloads; the stream carries a reference. */
const INLINE_MAX_BYTES = 64 * 1024;

/** A result on its way through a stream: as text, or kept beside it. */
export type PackedResult = { readonly json: string } | 'kept' | 'unwanted';

/**
 * Makes a result small enough for the results stream. An entry is read with a hundred others; megabytes in it would be
 * read by whoever owns the shard, whether it wants them or not.
 * @param holder who has claimed the job; '' for one that is not claimed
 * @returns `unwanted` when a large result has nobody waiting for it any more
 */
export async function packResult(
  connection: QueueConnection,
  result: StepResult,
  holder = '',
): Promise<PackedResult> {
  const json = JSON.stringify(result);
  // A UTF-16 unit takes up to three bytes: only texts in between have to be measured.
  if (json.length * 3 <= INLINE_MAX_BYTES || Buffer.byteLength(json) <= INLINE_MAX_BYTES) return { json };
  const keys = connection.keys.turn(turnOfJob(result.jobId));
  const kept = await STASH.run(connection.redis, {
    keys: [keys.jobs, keys.payloads, keys.claims],
    args: [result.jobId, json, holder],
  });
  return kept === 1 ? 'kept' : 'unwanted';
}

/** The kept result of a job; null when it was applied or dropped meanwhile. */
export async function unpackResult(
  connection: QueueConnection,
  jobId: StepResult['jobId'],
): Promise<StepResult | null> {
  const json = await connection.redis.hget(connection.keys.turn(turnOfJob(jobId)).payloads, jobId);
  return json === null ? null : (JSON.parse(json) as StepResult);
}
