import type { JobId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';

/** Jobs that are read: more than any room lets through within the delay of one. */
const MOST = 1000;

/**
 * The jobs of a queue that wait for their next attempt while no other job waits there: workers may have time for others.
 * None, while some job could be taken.
 */
export async function delayedJobs({ redis, keys }: QueueConnection, queue: string): Promise<JobId[]> {
  // BullMQ's own keys: its API takes several round trips.
  const base = `${keys.queuePrefix(queue)}:${queue}`;
  const [waiting, paused, prioritized, delayed] = await Promise.all([
    redis.llen(`${base}:wait`),
    redis.llen(`${base}:paused`),
    redis.zcard(`${base}:prioritized`),
    redis.zrange(`${base}:delayed`, '0', String(MOST - 1)),
  ]);
  return waiting + paused + prioritized === 0 ? (delayed as JobId[]) : [];
}
