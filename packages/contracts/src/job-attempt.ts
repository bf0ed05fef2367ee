import type { StepJob } from './step-job.ts';
import type { StepResult } from './step-result.ts';

/** An attempt at a job, as its worker sees it. */
export interface JobAttempt {
  readonly job: StepJob;
  /** The span of its step (W3C Trace Context), when its turn is traced. */
  readonly traceparent?: string | undefined;
  readonly workerClass: string;
  readonly worker: string;
  /** 1-based; those that failed and were tried again count. */
  readonly attempt: number;
  /** Workers that died in this attempt before this one took it over. */
  readonly lost: number;
  /** When its ticket was put into the queue. */
  readonly enqueuedAtMs: number;
  /** Since when it could have been taken; null when that is not known. */
  readonly readyAtMs: number | null;
  readonly startedAtMs: number;
}

/**
 * How an attempt ended.
 *
 * - `done`: its result was posted.
 * - `retried`: it failed, and another attempt follows.
 * - `returned`: its worker is being stopped and handed it to another one.
 * - `aborted`: nobody waits for it any more.
 * - `late`: it had been given up for dead, and what it brought was dropped.
 * - `taken-over`, `lost`: the worker that ran it died; this one runs it again, or may not.
 */
export interface AttemptEnd {
  readonly how: 'done' | 'retried' | 'returned' | 'aborted' | 'late' | 'taken-over' | 'lost';
  /** Of those that came to one. */
  readonly result?: StepResult;
  /** The worker it happened to, if it was another. */
  readonly worker?: string | undefined;
  readonly endedAtMs: number;
}
