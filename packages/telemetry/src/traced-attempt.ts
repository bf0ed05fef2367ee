import type { StepJob, StepResult } from '@skillyard/contracts';

/** An attempt at a job, as whoever made it saw it. */
export interface TracedAttempt {
  readonly job: StepJob;
  /** The span of its step (W3C Trace Context); absent when its turn is not traced. */
  readonly traceparent?: string | undefined;
  /** The class of its queue. */
  readonly workerClass: string;
  readonly worker: string;
  /** 1-based; those that failed and were tried again count. */
  readonly attempt: number;
  /** Workers that died in this attempt before this one took it over. */
  readonly lost: number;
  /** When its ticket was put into the queue. */
  readonly enqueuedAtMs: number;
  /** Since when it waited for a worker; null when that cannot be said. */
  readonly readyAtMs: number | null;
  readonly startedAtMs: number;
}

/**
 * How an attempt ended.
 *
 * - `done`: its result was posted.
 * - `retried`: it failed, and another attempt follows.
 * - `returned`: its worker was stopped and handed it to another one.
 * - `aborted`: nobody waited for it any more.
 * - `late`: it had been given up for dead, and what it brought was dropped.
 * - `taken-over`, `lost`: its worker died; another one runs it again, or may not.
 */
export interface AttemptEnd {
  readonly how: 'done' | 'retried' | 'returned' | 'aborted' | 'late' | 'taken-over' | 'lost';
  /** Of those that came to one. */
  readonly result?: StepResult;
  /** The worker that died, if it was another. */
  readonly worker?: string | undefined;
  readonly endedAtMs: number;
}
