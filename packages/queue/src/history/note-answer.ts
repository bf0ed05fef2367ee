import { type JobId, type TurnJob, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { Cut } from './cut.ts';
import { DEFAULT_MAX_LENGTH } from './history-writer.ts';

/** Puts what a person said that a job gave in the place of its failure, where a history of it is kept. */
export async function noteAnswer(
  { redis, keys }: QueueConnection,
  jobId: JobId,
  text: string,
  nowMs: number,
): Promise<void> {
  const { history } = keys.turn(turnOfJob(jobId));
  const json = await redis.hget(history, jobId);
  if (json === null) return;
  const failed = JSON.parse(json) as TurnJob;
  const cut = new Cut(DEFAULT_MAX_LENGTH);
  const output = cut.text(text);
  const answered: TurnJob = {
    ...failed,
    status: text === '' ? 'empty' : 'ok',
    output,
    error: null,
    worker: null,
    endedAtMs: nowMs,
    truncated: failed.truncated || cut.happened,
  };
  await redis.hset(history, jobId, JSON.stringify(answered));
}
