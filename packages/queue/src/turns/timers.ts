import type { JobId, TurnId } from '@skillyard/contracts';
import { Queue, Worker } from 'bullmq';
import type { QueueConnection } from '../connection.ts';

/** The queue of times to watch. */
const TIMERS_QUEUE = 'timers';

/** What has reached its time. The id of a ticket is this name, a dot, and the id of the turn or job. */
type Timer = 'deadline' | 'cutoff' | 'timeout';

/** Times to watch: they survive whoever set them, and any orchestrator may be told. */
export class Timers {
  readonly #queue: Queue<Record<string, never>, void, Timer>;

  constructor(connection: QueueConnection) {
    this.#queue = new Queue(TIMERS_QUEUE, {
      connection: connection.redis,
      prefix: connection.keys.queuePrefix(TIMERS_QUEUE),
    });
    // Errors of the shared connection are reported by the connection itself.
    this.#queue.on('error', () => {});
  }

  /** Asks to be told when a turn has run for too long. */
  async setDeadline(turnId: TurnId, delayMs: number): Promise<void> {
    await this.#queue.add(
      'deadline',
      {},
      { jobId: `deadline.${turnId}`, delay: Math.max(0, delayMs), attempts: 3 },
    );
  }

  async clearDeadline(turnId: TurnId): Promise<void> {
    await this.#queue.remove(`deadline.${turnId}`);
  }

  /** Asks to be told when the time has come by which whoever submitted a turn wants it to have ended. */
  async setCutoff(turnId: TurnId, delayMs: number): Promise<void> {
    await this.#queue.add(
      'cutoff',
      {},
      { jobId: `cutoff.${turnId}`, delay: Math.max(0, delayMs), attempts: 3 },
    );
  }

  async clearCutoff(turnId: TurnId): Promise<void> {
    await this.#queue.remove(`cutoff.${turnId}`);
  }

  /**
   * Asks to be told when a job that no worker holds has taken too long. It is never taken back: a job that is done by
   * then has nobody who waits for its timeout.
   */
  async setTimeout(jobId: JobId, delayMs: number): Promise<void> {
    await this.#queue.add('timeout', {}, { jobId: `timeout.${jobId}`, delay: delayMs, attempts: 3 });
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}

export interface TimersWorkerOptions {
  readonly connection: QueueConnection;
  /** A time is told to another orchestrator when whoever took it did nothing for this long. Default 10 s. */
  readonly lockMs?: number;
  onDeadline(turnId: TurnId): Promise<void>;
  onCutoff(turnId: TurnId): Promise<void>;
  onTimeout(jobId: JobId): Promise<void>;
  onError(error: Error): void;
}

/** Times that are told side by side. */
const CONCURRENCY = 16;

/** Is told of times. Being told twice must be harmless: a process may die after it acted. */
export async function startTimersWorker(options: TimersWorkerOptions): Promise<{ close(): Promise<void> }> {
  const { connection } = options;
  const lockMs = options.lockMs ?? 10_000;
  const worker = new Worker<Record<string, never>, void, Timer>(
    TIMERS_QUEUE,
    async (ticket) => {
      const id = (ticket.id ?? '').slice(ticket.name.length + 1);
      if (ticket.name === 'deadline') await options.onDeadline(id as TurnId);
      else if (ticket.name === 'cutoff') await options.onCutoff(id as TurnId);
      else await options.onTimeout(id as JobId);
    },
    {
      connection: connection.open(),
      prefix: connection.keys.queuePrefix(TIMERS_QUEUE),
      concurrency: CONCURRENCY,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // An orchestrator that dies must not cost a turn its deadline, however often it happens.
      maxStalledCount: 100,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  worker.on('error', (error) => options.onError(error));
  worker.on('failed', (_ticket, error) => options.onError(error));
  await worker.waitUntilReady();
  return { close: () => worker.close() };
}
