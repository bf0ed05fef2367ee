import type { QueueResource } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { HeldJobs } from '../tenants/held-jobs.ts';
import { Notes } from '../tenants/notes.ts';
import { queueOfClass } from '../step-route.ts';
import { donePerMinute } from './done-per-minute.ts';

/**
 * Reads what there is to know of the queues of several classes, in one round trip however many they are.
 * It reads BullMQ's own keys: its API takes several round trips for each queue.
 */
export async function readQueueStates(
  connection: QueueConnection,
  classes: readonly string[],
  nowMs: number,
): Promise<QueueResource[]> {
  const parts = { connection, held: new HeldJobs(connection), notes: new Notes(connection), nowMs };
  return Promise.all(classes.map((workerClass) => readState(parts, workerClass)));
}

interface StateParts {
  readonly connection: QueueConnection;
  readonly held: HeldJobs;
  readonly notes: Notes;
  readonly nowMs: number;
}

async function readState(
  { connection, held, notes, nowMs }: StateParts,
  workerClass: string,
): Promise<QueueResource> {
  const { redis, keys } = connection;
  const queue = queueOfClass(workerClass);
  const base = `${keys.queuePrefix(queue)}:${queue}`;
  const [meta, waiting, prioritized, holding, delayed, active, failed, workers, limit, done] =
    await Promise.all([
      redis.hmget(`${base}:meta`, 'paused', 'concurrency', 'max'),
      redis.llen(`${base}:wait`),
      redis.zcard(`${base}:prioritized`),
      held.read(queue),
      redis.zcard(`${base}:delayed`),
      redis.llen(`${base}:active`),
      redis.zcard(keys.failed(queue).times),
      // Each worker that lives says there how much it takes.
      notes.read(keys.capacity(queue)),
      Promise.all([redis.get(`${base}:limiter`), redis.pttl(`${base}:limiter`)]),
      donePerMinute(redis, base, nowMs),
    ]);
  const [paused = null, concurrency = null, mostStarts = null] = meta;
  const [starts, periodMs] = limit;
  const isLimited = mostStarts !== null && Number(starts ?? 0) >= Number(mostStarts);
  return {
    class: workerClass,
    paused: paused !== null,
    waiting: waiting + prioritized + holding.held,
    delayed,
    active,
    failed,
    workers: workers.size,
    concurrency: concurrency === null ? null : Number(concurrency),
    rateLimitedForMs: isLimited ? Math.max(0, periodMs) : 0,
    donePerMinute: done,
  };
}
