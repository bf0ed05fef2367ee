import type { JobId, StepJob } from '@skillyard/contracts';
import { DEFAULT_RETRY_POLICY } from '@skillyard/engine';
import { type JobsOptions, Queue } from 'bullmq';
import type { QueueConnection } from './connection.ts';
import type { JobEnvelope, Ticket } from './envelope.ts';
import { type TicketRequest, ticketRequest } from './ticket-request.ts';

/** BullMQ's name for the way in which retries of step jobs wait. */
export const BACKOFF = 'step';

export interface StepQueuesOptions {
  /** Attempts at one job, the first included. */
  readonly attempts?: number;
  /** The place of a job among those that wait in its queue: 1 is taken first. Without one, first come first served. */
  readonly priorityOf?: (job: StepJob) => number | undefined;
}

/** The queues that workers take step jobs from: where tickets are put and withdrawn. */
export class StepQueues {
  readonly #connection: QueueConnection;
  readonly #options: StepQueuesOptions;
  readonly #queues = new Map<string, Queue<Ticket>>();

  constructor(connection: QueueConnection, options: StepQueuesOptions = {}) {
    this.#connection = connection;
    this.#options = options;
  }

  /** What the tickets of jobs are made of; jobs that no worker does have none. */
  requests(envelopes: readonly JobEnvelope[]): TicketRequest[] {
    const { priorityOf } = this.#options;
    const requests = [];
    for (const envelope of envelopes) {
      const request = ticketRequest(envelope, priorityOf?.(envelope.job));
      if (request !== null) requests.push(request);
    }
    return requests;
  }

  /** Puts tickets into their queues. A job that has one is left as it is (Q3). */
  async add(requests: readonly TicketRequest[]): Promise<void> {
    await Promise.all(requests.map((request) => this.#add(request)));
  }

  #add({ id, queue, name, effect, place }: TicketRequest): Promise<unknown> {
    const { attempts = DEFAULT_RETRY_POLICY.attempts } = this.#options;
    const options: JobsOptions = {
      jobId: id,
      attempts,
      backoff: { type: BACKOFF },
      ...(place !== undefined && { priority: place }),
    };
    return this.#queue(queue).add(name, { effect }, options);
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
