import { type JobId, type StepResult, type TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';

/** Entries read together. */
const COUNT = 500;

/**
 * Removes results of some jobs of a turn from the results stream, whoever has read them and not acknowledged them.
 * They were applied: an orchestrator that died between its commit and its acknowledgement left them.
 */
export async function forgetResults(
  { redis, keys }: QueueConnection,
  turnId: TurnId,
  jobIds: ReadonlySet<JobId>,
): Promise<void> {
  const stream = keys.shard(keys.shardOf(turnId)).results;
  for (let from = '-'; ;) {
    const entries = await redis.xrange(stream, from, '+', 'COUNT', COUNT);
    const found = entries.filter(([, fields]) => isResultOf(fields, turnId, jobIds));
    if (found.length > 0) await redis.xdel(stream, ...found.map(([id]) => id));
    const last = entries.at(-1);
    if (last === undefined || entries.length < COUNT) return;
    from = `(${last[0]}`;
  }
}

/** The fields of an entry are described in results/post-result.ts. */
function isResultOf(fields: readonly string[], turnId: TurnId, jobIds: ReadonlySet<JobId>): boolean {
  const entry = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2)
    entry.set(fields[index] ?? '', fields[index + 1] ?? '');
  if (entry.get('t') !== turnId) return false;
  const result = entry.get('r');
  const jobId = result === undefined ? entry.get('p') : (JSON.parse(result) as StepResult).jobId;
  return jobId !== undefined && jobIds.has(jobId as JobId);
}
