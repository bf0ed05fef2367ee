import { Queue } from 'bullmq';
import type { QueueConnection } from '../connection.ts';

/** Limits of a class that hold for all its workers together. */
export interface ClassLimits {
  /** Jobs at once. */
  readonly globalConcurrency?: number;
  /** Jobs started per period. */
  readonly rate?: { readonly jobs: number; readonly perMs: number };
}

/** The option of a BullMQ worker that holds its rate. BullMQ counts in Redis, for all workers of the queue. */
export function limiterOf({ rate }: ClassLimits = {}): { limiter?: { max: number; duration: number } } {
  return rate === undefined ? {} : { limiter: { max: rate.jobs, duration: rate.perMs } };
}

/**
 * Writes down how many jobs of a queue may run at once, and how many may start in a period, for all workers and for who asks
 * what a job waits for. Without a limit, one that was set before is taken away.
 */
export async function writeLimits(
  connection: QueueConnection,
  queue: string,
  { globalConcurrency, rate }: ClassLimits,
): Promise<void> {
  const handle = new Queue(queue, {
    connection: connection.redis,
    prefix: connection.keys.queuePrefix(queue),
  });
  handle.on('error', () => {});
  try {
    await Promise.all([
      globalConcurrency === undefined
        ? handle.removeGlobalConcurrency()
        : handle.setGlobalConcurrency(globalConcurrency),
      rate === undefined ? handle.removeGlobalRateLimit() : handle.setGlobalRateLimit(rate.jobs, rate.perMs),
    ]);
  } finally {
    await handle.close();
  }
}
