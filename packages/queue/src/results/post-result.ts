import { type JobId, type StepError, type StepResult, type TurnId, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { packResult } from '../payload.ts';
import { MARK_DONE } from '../scripts/claim-script.ts';
import type { OnTransition } from '../transition.ts';

/*
 * The fields of an entry: `t` the turn; then `r` a result as JSON, or `p` the id of a job whose result is in the turn's
 * payloads, or `c` the reason of a cancellation as JSON, or `x` when the turn's time is over, or `s` when it is to be
 * started. `b` beside them: somebody had the entry and put it back.
 */

export interface PostOptions {
  /** Who has claimed the job. Without one it is a job that nobody claims. */
  readonly holder?: string;
  readonly onTransition?: OnTransition | undefined;
}

/** Posts the result of a job to its turn, and marks the job as done (Q7). */
export async function postResult(
  connection: QueueConnection,
  result: StepResult,
  { holder = '', onTransition }: PostOptions = {},
): Promise<void> {
  const packed = await packResult(connection, result, holder);
  if (packed === 'unwanted') return;
  const turnId = turnOfJob(result.jobId);
  const keys = connection.keys.turn(turnId);
  const [field, value] = packed === 'kept' ? ['p', result.jobId] : ['r', packed.json];
  const posted = connection.redis.xadd(streamOf(connection, turnId), '*', 't', turnId, field, value);
  // A test sees the moment between the two, which is otherwise as short as a network makes it.
  if (onTransition !== undefined) await posted.then(() => onTransition('result.after'));
  // Sent together, answered in order: the mark never comes before the result.
  await Promise.all([
    posted,
    MARK_DONE.run(connection.redis, { keys: [keys.jobs, keys.claims], args: [result.jobId, holder] }),
  ]);
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
