import { Queue } from 'bullmq';
import type { QueueConnection } from '../connection.ts';

/** What decides whether a queue moves. */
export interface QueueFacts {
  readonly queue: string;
  /** Workers connected to it. */
  readonly workers: number;
  readonly paused: boolean;
  readonly waiting: number;
  readonly active: number;
  /** The most jobs it runs at once, over all workers; null for no limit. */
  readonly concurrency: number | null;
  /** Milliseconds until its rate limit lets the next job through; 0 when it does. */
  readonly rateLimitedForMs: number;
}

/** Reads the facts of one queue. */
export async function readQueueFacts(connection: QueueConnection, name: string): Promise<QueueFacts> {
  const queue = new Queue(name, {
    connection: connection.redis,
    prefix: connection.keys.queuePrefix(name),
    skipMetasUpdate: true,
  });
  // Errors of the shared connection are reported by the connection itself.
  queue.on('error', () => {});
  try {
    const [workers, paused, counts, concurrency, limit] = await Promise.all([
      queue.getWorkersCount(),
      queue.isPaused(),
      queue.getJobCounts('waiting', 'prioritized', 'active'),
      queue.getGlobalConcurrency(),
      queue.getGlobalRateLimit(),
    ]);
    const ttlMs = limit === null ? await queue.getRateLimitTtl() : await queue.getRateLimitTtl(limit.max);
    return {
      queue: name,
      workers,
      paused,
      waiting: (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0),
      active: counts['active'] ?? 0,
      concurrency,
      rateLimitedForMs: Math.max(0, ttlMs),
    };
  } finally {
    await queue.close();
  }
}
