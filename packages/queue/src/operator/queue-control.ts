import type { QueueResource } from '@skillyard/contracts';
import { Queue } from 'bullmq';
import type { QueueConnection } from '../connection.ts';
import { queueOfClass } from '../step-route.ts';
import { readQueueStates } from './queue-states.ts';

/** What people see of the queues of the classes of workers, and how they hold them. */
export class QueueControl {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  /** The queues of classes, in the order in which these are named. A class nobody ever used has an empty one. */
  list(classes: readonly string[]): Promise<QueueResource[]> {
    return readQueueStates(this.#connection, classes, Date.now());
  }

  /** Lets no worker of a class take further jobs; what is under way goes on. */
  pause(workerClass: string): Promise<void> {
    return this.#withQueue(workerClass, (queue) => queue.pause());
  }

  /** Lets the workers of a class go on. */
  resume(workerClass: string): Promise<void> {
    return this.#withQueue(workerClass, (queue) => queue.resume());
  }

  async #withQueue(workerClass: string, work: (queue: Queue) => Promise<void>): Promise<void> {
    const { redis, keys } = this.#connection;
    const name = queueOfClass(workerClass);
    const queue = new Queue(name, {
      connection: redis,
      prefix: keys.queuePrefix(name),
      skipMetasUpdate: true,
    });
    // Errors of the shared connection are reported by the connection itself.
    queue.on('error', () => {});
    try {
      await work(queue);
    } finally {
      await queue.close();
    }
  }
}
