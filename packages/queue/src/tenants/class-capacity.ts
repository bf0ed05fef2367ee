import type { QueueConnection } from '../connection.ts';
import { Notes } from './notes.ts';

/** How many jobs of a queue all workers that live run at once. */
export class ClassCapacity {
  readonly #connection: QueueConnection;
  readonly #notes: Notes;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
    this.#notes = new Notes(connection);
  }

  /** Says how many jobs a worker runs at once. To be said again every few seconds. */
  async write(queue: string, worker: string, concurrency: number): Promise<void> {
    await this.#notes.write(this.#connection.keys.capacity(queue), worker, String(concurrency));
  }

  /** A worker takes no more jobs. */
  async remove(queue: string, worker: string): Promise<void> {
    await this.#notes.remove(this.#connection.keys.capacity(queue), worker);
  }

  /** @returns null when no worker is known; never more than the class may run at once */
  async read(queue: string): Promise<number | null> {
    const { redis, keys } = this.#connection;
    const [notes, most] = await Promise.all([
      this.#notes.read(keys.capacity(queue)),
      // Where BullMQ keeps the limit of a queue.
      redis.hget(`${keys.queuePrefix(queue)}:${queue}:meta`, 'concurrency'),
    ]);
    if (notes.size === 0) return null;
    const sum = [...notes.values()].reduce((total, concurrency) => total + Number(concurrency), 0);
    return most === null ? sum : Math.min(sum, Number(most));
  }
}
