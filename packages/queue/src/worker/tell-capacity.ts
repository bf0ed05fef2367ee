import type { QueueConnection } from '../connection.ts';
import { ClassCapacity } from '../tenants/class-capacity.ts';

/** A worker as orchestrators know it, who let through to its queue as much as it can take. */
export interface ToldCapacity {
  readonly connection: QueueConnection;
  readonly queue: string;
  readonly worker: string;
  readonly concurrency: number;
  readonly everyMs: number;
  onError(error: Error): void;
}

/** Says again and again how many jobs a worker runs at once, until it is closed. */
export async function tellCapacity(told: ToldCapacity): Promise<{ close(): Promise<void> }> {
  const { connection, queue, worker, concurrency, everyMs, onError } = told;
  const capacity = new ClassCapacity(connection);
  await capacity.write(queue, worker, concurrency);
  let telling: Promise<void> = Promise.resolve();
  const tell = async (): Promise<void> => {
    try {
      await capacity.write(queue, worker, concurrency);
    } catch (error) {
      // Said again soon; until then the last word holds.
      onError(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const timer = setInterval(() => (telling = tell()), everyMs);
  timer.unref();
  connection.redis.once('end', () => clearInterval(timer));
  return {
    close: async () => {
      clearInterval(timer);
      await telling;
      await capacity.remove(queue, worker);
    },
  };
}
