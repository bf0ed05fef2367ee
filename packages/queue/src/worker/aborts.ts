import type { JobId } from '@skillyard/contracts';
import type { Redis } from 'ioredis';
import type { QueueConnection } from '../connection.ts';

/**
 * Tells workers that jobs they may be running are no longer wanted.
 * A message can be missed while a connection is made anew. Then the job runs to its end and its result is ignored:
 * that costs money, not correctness, so nothing is stored for it.
 */
export async function publishAborts(connection: QueueConnection, jobIds: readonly JobId[]): Promise<void> {
  if (jobIds.length > 0) await connection.redis.publish(connection.keys.aborts, JSON.stringify(jobIds));
}

/** Listens for jobs that are no longer wanted. */
export async function listenForAborts(
  connection: QueueConnection,
  onAbort: (jobId: JobId) => void,
): Promise<{ close(): void }> {
  const subscriber: Redis = connection.open();
  subscriber.on('message', (_channel: string, message: string) => {
    for (const jobId of JSON.parse(message) as JobId[]) onAbort(jobId);
  });
  await subscriber.subscribe(connection.keys.aborts);
  return { close: () => subscriber.disconnect() };
}
