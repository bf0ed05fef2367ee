import type { TurnId } from '@skillyard/contracts';
import { Queue } from 'bullmq';
import type { QueueConnection } from '../connection.ts';

/** The queue of ends of turns that somebody outside is to be told of. */
export const WEBHOOKS_QUEUE = 'webhooks';

/** Which end of which turn: a turn that is reopened ends again. What is told is read when it is told. */
export interface WebhookTicket {
  readonly turnId: TurnId;
  readonly endedAtMs: number;
}

export interface WebhookQueueOptions {
  /** Attempts at telling of one end, the first included. */
  readonly attempts: number;
  /** Before the second attempt; twice as long before each one after it, half of it at random. */
  readonly retryDelayMs: number;
}

/** For how long it is known that an end was told of: a repeat of the note that it has come tells of it once more after that. */
const REMEMBERED = { age: 24 * 60 * 60, count: 10_000 };

/** Where it is noted that a turn has ended and somebody outside wants to know. */
export class WebhookQueue {
  readonly #queue: Queue<WebhookTicket>;
  readonly #options: WebhookQueueOptions;

  constructor(connection: QueueConnection, options: WebhookQueueOptions) {
    this.#options = options;
    this.#queue = new Queue(WEBHOOKS_QUEUE, {
      connection: connection.redis,
      prefix: connection.keys.queuePrefix(WEBHOOKS_QUEUE),
    });
    // Errors of the shared connection are reported by the connection itself.
    this.#queue.on('error', () => {});
  }

  /** Has somebody told of the end of a turn. A note of the same end that was made before is left as it is. */
  async add(ticket: WebhookTicket): Promise<void> {
    const { attempts, retryDelayMs: delay } = this.#options;
    await this.#queue.add('turn.ended', ticket, {
      jobId: webhookId(ticket),
      attempts,
      backoff: { type: 'exponential', delay, jitter: 0.5 },
      removeOnComplete: REMEMBERED,
      removeOnFail: REMEMBERED,
    });
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}

/** The same for every attempt at one end, so that whoever is told twice can see it. */
export function webhookId({ turnId, endedAtMs }: WebhookTicket): string {
  return `webhook.${turnId}.${endedAtMs}`;
}
