import type { JobAttempt } from '@skillyard/contracts';
import type { RetryPolicy } from '@skillyard/engine';
import type { QueueConnection } from '../connection.ts';
import type { HistoryWriter } from '../history/history-writer.ts';
import type { OnTransition } from '../transition.ts';
import type { ClassLimits } from './class-limits.ts';
import type { ExecuteJob } from './execute-job.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { OnAttempt } from './job-attempt.ts';
import type { WorkerNotice } from './worker-notice.ts';

/** What a worker of one class is started with. */
export interface StepWorkerOptions {
  readonly connection: QueueConnection;
  /** `model`, or a class of tools. */
  readonly workerClass: string;
  readonly execute: ExecuteJob;
  readonly concurrency: number;
  /** What holds for all workers of the class; without it, what was set before is left as it is. */
  readonly limits?: ClassLimits;
  readonly retries?: Pick<RetryPolicy, 'delayMs' | 'maxDelayMs'>;
  /** Keeps what jobs were given and what they gave; nothing does when absent. */
  readonly history?: HistoryWriter;
  /** @param attempt what it is about; not of a job that was only looked at */
  readonly onNotice?: (notice: WorkerNotice, attempt?: JobAttempt) => void;
  readonly onAttempt?: OnAttempt;
  /** The heartbeat of this process; one of its own when absent. */
  readonly heartbeat?: Heartbeat;
  /** A ticket whose lock was not renewed for this long is looked at by another worker. Default 6 s. */
  readonly lockMs?: number;
  readonly onTransition?: OnTransition;
}
