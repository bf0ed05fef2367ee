import { type JobId, type StepError, type StepResult, type TurnId, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { type PackedResult, packResult } from '../payload.ts';
/*
 * The fields of an entry: `t` the turn; then `r` a result as JSON, or `p` the id of a job whose result is in the turn's
 * payloads, or `c` the reason of a cancellation as JSON, or `x` when the turn's time is over, or `s` when it is to be
 * started. `b` beside them: somebody had the entry and put it back.
 */

/**
 * Posts the result of a job to its turn (Q7).
 * @param holder who has claimed the job; '' for one that nobody claims
 */
export async function postResult(
  connection: QueueConnection,
  result: StepResult,
  holder = '',
): Promise<void> {
  const packed = await packResult(connection, result, holder);
  if (packed !== 'unwanted') await postPacked(connection, result.jobId, packed);
}

/** Posts a result that was made small enough. It is sent when this returns, and posted when that resolves. */
export async function postPacked(
  connection: QueueConnection,
  jobId: JobId,
  packed: Exclude<PackedResult, 'unwanted'>,
): Promise<void> {
  const turnId = turnOfJob(jobId);
  const stream = streamOf(connection, turnId);
  if (packed === 'kept') await connection.redis.xadd(stream, '*', 't', turnId, 'p', jobId);
  else await connection.redis.xadd(stream, '*', 't', turnId, 'r', packed.json);
}

/** Posts results that lie in the payloads of their turn. */
export async function postKept(
  connection: QueueConnection,
  turnId: TurnId,
  jobIds: readonly JobId[],
): Promise<void> {
  const pipeline = connection.redis.pipeline();
  for (const jobId of jobIds) pipeline.xadd(streamOf(connection, turnId), '*', 't', turnId, 'p', jobId);
  for (const [error] of (await pipeline.exec()) ?? []) if (error !== null) throw error;
}

/** Asks whoever runs a turn to cancel it. */
export async function postCancel(
  connection: QueueConnection,
  turnId: TurnId,
  reason: StepError,
): Promise<void> {
  await connection.redis.xadd(streamOf(connection, turnId), '*', 't', turnId, 'c', JSON.stringify(reason));
}

/** Tells whoever runs a turn that its time is over. */
export async function postExpiry(connection: QueueConnection, turnId: TurnId): Promise<void> {
  await connection.redis.xadd(streamOf(connection, turnId), '*', 't', turnId, 'x', '1');
}

/** Asks the owner of a turn's shard to start it. Asking twice is harmless. */
export async function postStart(connection: QueueConnection, turnId: TurnId): Promise<void> {
  await connection.redis.xadd(streamOf(connection, turnId), '*', 't', turnId, 's', '1');
}

function streamOf(connection: QueueConnection, turnId: TurnId): string {
  return connection.keys.shard(connection.keys.shardOf(turnId)).results;
}
