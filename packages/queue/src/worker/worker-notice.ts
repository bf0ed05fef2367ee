import type { JobNotice } from '@skillyard/contracts';

/** What a worker tells of itself, for its log. Holds ids and codes, never a payload. */
export type WorkerNotice =
  | {
      readonly type: 'job.finished';
      readonly jobId: string;
      readonly status: string;
      readonly code?: string;
      readonly ms: number;
    }
  /** What the trace of the turn is told as well. */
  | {
      readonly type: `job.${JobNotice}`;
      readonly jobId: string;
      readonly attempt: number;
      readonly code?: string;
      /** The worker it happened to, if it was another. */
      readonly holder?: string;
    }
  | { readonly type: 'job.skipped'; readonly jobId: string; readonly reason: 'gone' | 'done' | 'aborted' }
  /** Another worker is at it. */
  | { readonly type: 'job.held'; readonly jobId: string; readonly holder: string }
  | { readonly type: 'job.returned'; readonly jobId: string }
  | { readonly type: 'error'; readonly message: string };

/** What happened to a job, for the trace of its turn. */
export interface JobStory {
  readonly what: JobNotice;
  readonly reason: string;
  /** The worker it happened to, if it was another. */
  readonly worker?: string;
  /** The code of the error behind it. */
  readonly code?: string;
}

/** The line of the log that goes with a notice of the trace. Reasons may quote what a turn is about, so they stay there. */
export function logOf(jobId: string, attempt: number, { what, worker, code }: JobStory): WorkerNotice {
  return {
    type: `job.${what}`,
    jobId,
    attempt,
    ...(worker !== undefined && { holder: worker }),
    ...(code !== undefined && { code }),
  };
}
