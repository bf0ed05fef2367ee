import type { JobId, TurnId } from '@skillyard/contracts';
import { Queue, Worker } from 'bullmq';
import type { QueueConnection } from '../connection.ts';

/** The queue of turns to start, and of times to watch. */
export const TURNS_QUEUE = 'turns';

/** What a ticket of the turns queue asks for. Its id is this name, a dot, and the id of the turn or job. */
type TurnTicket = 'start' | 'deadline' | 'timeout';

/** The id of the ticket that asks for a turn to be started. */
export function startTicketId(turnId: TurnId): JobId {
  return `start.${turnId}` as JobId;
}

/** Where turns wait for an orchestrator. */
export class TurnsQueue {
  readonly #queue: Queue<Record<string, never>, void, TurnTicket>;

  constructor(connection: QueueConnection) {
    this.#queue = new Queue(TURNS_QUEUE, {
      connection: connection.redis,
      prefix: connection.keys.queuePrefix(TURNS_QUEUE),
    });
    // Errors of the shared connection are reported by the connection itself.
    this.#queue.on('error', () => {});
  }

  /** Asks for a turn to be started. Asking again while it waits does nothing. */
  async start(turnIds: readonly TurnId[]): Promise<void> {
    await Promise.all(
      turnIds.map((id) => this.#queue.add('start', {}, { jobId: startTicketId(id), attempts: 3 })),
    );
  }

  /** Whether an orchestrator has taken a turn from the queue and not started it yet. */
  async isTaken(turnId: TurnId): Promise<boolean> {
    return (await this.#queue.getJobState(startTicketId(turnId))) === 'active';
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

export interface TurnsWorkerOptions {
  readonly connection: QueueConnection;
  /** Turns started at once. */
  readonly concurrency: number;
  /** A turn is given to another orchestrator when it was not started within this time. Default 10 s. */
  readonly lockMs?: number;
  onStart(turnId: TurnId): Promise<void>;
  onDeadline(turnId: TurnId): Promise<void>;
  onTimeout(jobId: JobId): Promise<void>;
  onError(error: Error): void;
}

/** Takes turns from the queue. Starting one twice must be harmless: a worker may die after it did. */
export async function startTurnsWorker(options: TurnsWorkerOptions): Promise<{ close(): Promise<void> }> {
  const { connection } = options;
  const lockMs = options.lockMs ?? 10_000;
  const worker = new Worker<Record<string, never>, void, TurnTicket>(
    TURNS_QUEUE,
    async (ticket) => {
      const id = (ticket.id ?? '').slice(ticket.name.length + 1);
      if (ticket.name === 'start') await options.onStart(id as TurnId);
      else if (ticket.name === 'deadline') await options.onDeadline(id as TurnId);
      else await options.onTimeout(id as JobId);
    },
    {
      connection: connection.open(),
      prefix: connection.keys.queuePrefix(TURNS_QUEUE),
      concurrency: options.concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // An orchestrator that dies while it starts turns must not cost a turn, however often it happens.
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
