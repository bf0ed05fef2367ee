import { createHash } from 'node:crypto';
import { turnId, type TurnId } from '@skillyard/contracts';
import { type Job, Worker } from 'bullmq';
import type { QueueConnection } from '../connection.ts';
import { type FiringTicket, SCHEDULES_QUEUE } from './schedules.ts';

/** A time that a schedule names has come. */
export interface DueFiring extends FiringTicket {
  readonly atMs: number;
  /** Of the turn it submits: whoever is told of the same firing submits the same turn. */
  readonly turnId: TurnId;
}

export interface SchedulesWorkerOptions {
  readonly connection: QueueConnection;
  /** A firing is told to another orchestrator when whoever took it did nothing for this long. */
  readonly lockMs: number;
  /** Submits the turn. What it throws is tried again a few times. */
  fire(firing: DueFiring): Promise<void>;
  onError(error: Error): void;
}

/** Firings that are under way side by side, in one process. */
const CONCURRENCY = 4;

/**
 * Is told of the times that schedules name, each orchestrator of some of them. Being told twice must be harmless. When
 * none of them ran at such times, the schedule fires once as soon as one does, and not once for each time that was missed.
 */
export async function startSchedulesWorker(
  options: SchedulesWorkerOptions,
): Promise<{ close(): Promise<void> }> {
  const { connection, lockMs } = options;
  const worker = new Worker<FiringTicket>(SCHEDULES_QUEUE, (ticket) => options.fire(firingOf(ticket)), {
    connection: connection.open(),
    prefix: connection.keys.queuePrefix(SCHEDULES_QUEUE),
    concurrency: CONCURRENCY,
    lockDuration: lockMs,
    stalledInterval: lockMs / 2,
    // An orchestrator that dies must not cost a schedule its turn, however often it happens.
    maxStalledCount: 100,
  });
  worker.on('error', (error) => options.onError(error));
  worker.on('failed', (_ticket, error) => options.onError(error));
  await worker.waitUntilReady();
  return { close: () => worker.close() };
}

/** The id of a ticket ends with the time it is for. */
function firingOf({ id = '', data }: Job<FiringTicket>): DueFiring {
  const { tenant, scheduleId } = data;
  const atMs = Number(id.slice(id.lastIndexOf(':') + 1));
  const hash = createHash('sha256').update(`${tenant}\n${scheduleId}\n${atMs}`).digest('hex');
  return { tenant, scheduleId, atMs, turnId: turnId(`s${hash.slice(0, 40)}`) };
}
