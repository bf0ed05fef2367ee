/** What lies in a results stream: every message, from its posting until it was handled. For rare questions: it reads the stream. */
import { type JobId, type StepResult, type TurnId, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { GROUP } from './consumer-scripts.ts';
import { valueOf } from './read-entry.ts';

/** Entries read together. */
const COUNT = 500;

/**
 * Whether a result of a job is on its way: it was posted and is not applied yet.
 * What is found nowhere was never posted, or was applied: then the job is not in its turn's outbox any more.
 */
export async function isResultPosted(connection: QueueConnection, jobId: JobId): Promise<boolean> {
  const turnId = turnOfJob(jobId);
  for await (const { fields } of entriesOf(connection, turnId)) {
    if (answeredJob(fields, turnId) === jobId) return true;
  }
  return false;
}

/**
 * Removes the results of some jobs of a turn, whoever has read them and not acknowledged them. They were applied: an
 * orchestrator that died between its commit and its acknowledgement left them, and they would be delivered again.
 */
export async function forgetResults(
  connection: QueueConnection,
  turnId: TurnId,
  jobIds: ReadonlySet<JobId>,
): Promise<void> {
  const { redis, keys } = connection;
  const found: string[] = [];
  for await (const { id, fields } of entriesOf(connection, turnId)) {
    const jobId = answeredJob(fields, turnId);
    if (jobId !== undefined && jobIds.has(jobId)) found.push(id);
  }
  if (found.length === 0) return;
  const stream = keys.shard(keys.shardOf(turnId)).results;
  // A reader that is gone may have them: without this they would stay its own for ever.
  await Promise.all([redis.xack(stream, GROUP, ...found), redis.xdel(stream, ...found)]);
}

/** The job whose result an entry is, if it is one of this turn. */
function answeredJob(fields: readonly string[], turnId: TurnId): JobId | undefined {
  if (valueOf(fields, 't') !== turnId) return undefined;
  const result = valueOf(fields, 'r');
  if (result === undefined) return valueOf(fields, 'p') as JobId | undefined;
  return (JSON.parse(result) as Pick<StepResult, 'jobId'>).jobId;
}

/**
 * How many turns of the same shard are started before this one.
 * @param most turns that are counted
 * @returns null when there are more, `none` when nobody asked for it to be started
 */
export async function startsBefore(
  connection: QueueConnection,
  turnId: TurnId,
  most: number,
): Promise<number | null | 'none'> {
  let before = 0;
  for await (const { fields } of entriesOf(connection, turnId)) {
    if (valueOf(fields, 's') === undefined) continue;
    if (valueOf(fields, 't') === turnId) return before;
    before++;
    if (before > most) return null;
  }
  return 'none';
}

/** The entries of the stream of a turn's shard, oldest first. */
async function* entriesOf(
  { redis, keys }: QueueConnection,
  turnId: TurnId,
): AsyncGenerator<{ readonly id: string; readonly fields: readonly string[] }> {
  const stream = keys.shard(keys.shardOf(turnId)).results;
  for (let from = '-'; ;) {
    const entries = await redis.xrange(stream, from, '+', 'COUNT', COUNT);
    for (const [id, fields] of entries) yield { id, fields };
    const last = entries.at(-1);
    if (last === undefined || entries.length < COUNT) return;
    from = `(${last[0]}`;
  }
}
