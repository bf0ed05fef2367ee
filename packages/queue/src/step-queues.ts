import type { JobId } from '@skillyard/contracts';
import { Queue } from 'bullmq';
import type { QueueConnection } from './connection.ts';
import type { JobEnvelope, Ticket } from './envelope.ts';
import { BACKOFF, MAX_ATTEMPTS } from './retry-policy.ts';

/** The queues that workers take step jobs from: where tickets are put and withdrawn. */
export class StepQueues {
  readonly #connection: QueueConnection;
  readonly #queues = new Map<string, Queue<Ticket>>();

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  /** Puts the tickets of jobs into their queues. A job that has one is left as it is (Q3). */
  async add(envelopes: readonly JobEnvelope[]): Promise<void> {
    const byQueue = new Map<string, JobEnvelope[]>();
    for (const envelope of envelopes) {
      if (envelope.queue === null) continue;
      const group = byQueue.get(envelope.queue);
      if (group === undefined) byQueue.set(envelope.queue, [envelope]);
      else group.push(envelope);
    }
    await Promise.all([...byQueue].map(([queue, group]) => this.#addTo(queue, group)));
  }

  async #addTo(queue: string, group: readonly JobEnvelope[]): Promise<void> {
    const tickets = group.map(({ job, effect }) => ({
      name: job.kind === 'call' ? `${job.server}:${job.tool}` : job.kind,
      data: { effect },
      opts: { jobId: job.id, attempts: MAX_ATTEMPTS, backoff: { type: BACKOFF } },
    }));
    const [only] = tickets;
    if (only !== undefined && tickets.length === 1)
      await this.#queue(queue).add(only.name, only.data, only.opts);
    else await this.#queue(queue).addBulk(tickets);
  }

  /** Takes the tickets of dropped jobs out again, as far as no worker has them. */
  async remove(envelopes: readonly { readonly queue: string | null; readonly id: JobId }[]): Promise<void> {
    await Promise.all(
      envelopes.map(async ({ queue, id }) => (queue === null ? 0 : this.#queue(queue).remove(id))),
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  #queue(name: string): Queue<Ticket> {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const prefix = this.#connection.keys.queuePrefix(name);
    const queue = new Queue<Ticket>(name, { connection: this.#connection.redis, prefix });
    // Errors of the shared connection are reported by the connection itself.
    queue.on('error', () => {});
    this.#queues.set(name, queue);
    return queue;
  }
}
