import type { JobId, StepJob } from '@skillyard/contracts';
import { DEFAULT_RETRY_POLICY } from '@skillyard/engine';
import { type JobsOptions, Queue } from 'bullmq';
import type { QueueConnection } from './connection.ts';
import { calledTool } from './called-tool.ts';
import type { JobEnvelope, Ticket } from './envelope.ts';

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
      name: ticketName(job),
      data: { effect },
      opts: this.#ticketOptions(job),
    }));
    await Promise.all(tickets.map(({ name, data, opts }) => this.#queue(queue).add(name, data, opts)));
  }

  #ticketOptions(job: StepJob): JobsOptions {
    const { attempts = DEFAULT_RETRY_POLICY.attempts, priorityOf } = this.#options;
    const priority = priorityOf?.(job);
    return {
      jobId: job.id,
      attempts,
      backoff: { type: BACKOFF },
      ...(priority !== undefined && { priority }),
    };
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

/** What dashboards call it. */
function ticketName(job: StepJob): string {
  const called = calledTool(job);
  return called === null ? job.kind : `${called.server}:${called.tool}`;
}
