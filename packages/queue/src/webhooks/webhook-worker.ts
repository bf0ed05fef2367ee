import { Worker } from 'bullmq';
import type { QueueConnection } from '../connection.ts';
import { type WebhookTicket, WEBHOOKS_QUEUE } from './webhook-queue.ts';

export interface WebhookWorkerOptions {
  readonly connection: QueueConnection;
  /** An end is told of by another orchestrator when whoever took it did nothing for this long. */
  readonly lockMs: number;
  /** Tells of an end. What it throws is tried again later. */
  deliver(ticket: WebhookTicket): Promise<void>;
  /** Told of an attempt that failed, and whether it was the last one. */
  onFailure(ticket: WebhookTicket, failure: { readonly error: Error; readonly isLast: boolean }): void;
  onError(error: Error): void;
}

/** Requests that are under way side by side, in one process: an address that is slow holds up as many. */
const CONCURRENCY = 32;

/** Takes ends of turns to tell of. Each may be told of twice: a process may die after the request. */
export async function startWebhookWorker(options: WebhookWorkerOptions): Promise<{ close(): Promise<void> }> {
  const { connection, lockMs } = options;
  const worker = new Worker<WebhookTicket>(WEBHOOKS_QUEUE, ({ data }) => options.deliver(data), {
    connection: connection.open(),
    prefix: connection.keys.queuePrefix(WEBHOOKS_QUEUE),
    concurrency: CONCURRENCY,
    lockDuration: lockMs,
    stalledInterval: lockMs / 2,
    maxStalledCount: 100,
  });
  worker.on('error', (error) => options.onError(error));
  worker.on('failed', (ticket, error) => {
    if (ticket === undefined) options.onError(error);
    else
      options.onFailure(ticket.data, { error, isLast: ticket.attemptsMade >= (ticket.opts.attempts ?? 1) });
  });
  await worker.waitUntilReady();
  return { close: () => worker.close() };
}
