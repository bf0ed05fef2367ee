import type { QueueConnection } from '../connection.ts';
import { ClassCapacity } from '../tenants/class-capacity.ts';

/** A worker as orchestrators know it, who let through to its queue as much as it can take. */
export interface ToldCapacity {
  readonly connection: QueueConnection;
  readonly queue: string;
  readonly worker: string;
  readonly concurrency: number;
  readonly everyMs: number;
  readonly onError: (error: Error) => void;
}

/** Says again and again how many jobs a worker runs at once, until it is closed. */
export async function tellCapacity(told: ToldCapacity): Promise<{ close(): Promise<void> }> {
  const { connection, queue, worker, concurrency, everyMs, onError } = told;
  const capacity = new ClassCapacity(connection);
  await capacity.write(queue, worker, concurrency);
  const tell = async (): Promise<void> => {
    try {
      await capacity.write(queue, worker, concurrency);
    } catch (error) {
      // Said again soon; until then the last word holds.
      onError(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const timer = setInterval(() => void tell(), everyMs);
  timer.unref();
  connection.redis.once('end', () => clearInterval(timer));
  return {
    close: async () => {
      clearInterval(timer);
      // Without Redis nobody is told; the last word is believed for some seconds only.
      if (connection.redis.status === 'ready') await capacity.remove(queue, worker);
    },
  };
}
