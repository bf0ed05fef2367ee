import type { QueueResource } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { queueOfClass } from '../step-route.ts';
import { countWorkers } from './count-workers.ts';
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
  const workers = countWorkers(connection, classes.map(queueOfClass));
  const states = await Promise.all(classes.map((one) => readState(connection, one, nowMs)));
  const counts = await workers;
  return states.map((state, index) => ({ ...state, workers: counts[index] ?? 0 }));
}

async function readState(
  { redis, keys }: QueueConnection,
  workerClass: string,
  nowMs: number,
): Promise<Omit<QueueResource, 'workers'>> {
  const queue = queueOfClass(workerClass);
  const base = `${keys.queuePrefix(queue)}:${queue}`;
  const [meta, waiting, prioritized, delayed, active, failed, limitedMs, done] = await Promise.all([
    redis.hmget(`${base}:meta`, 'paused', 'concurrency'),
    redis.llen(`${base}:wait`),
    redis.zcard(`${base}:prioritized`),
    redis.zcard(`${base}:delayed`),
    redis.llen(`${base}:active`),
    redis.zcard(keys.failed(queue).times),
    redis.pttl(`${base}:limiter`),
    donePerMinute(redis, base, nowMs),
  ]);
  const [paused = null, concurrency = null] = meta;
  return {
    class: workerClass,
    paused: paused !== null,
    waiting: waiting + prioritized,
    delayed,
    active,
    failed,
    concurrency: concurrency === null ? null : Number(concurrency),
    rateLimitedForMs: Math.max(0, limitedMs),
    donePerMinute: done,
  };
}
