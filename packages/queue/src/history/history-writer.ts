import { type StepJob, type StepResult, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { KEEP_JOB } from '../scripts/history-script.ts';
import { type JobTimes, turnJob } from './turn-job.ts';

export interface HistoryWriterOptions {
  /** Of one text, in characters. Default 16 KiB. */
  readonly maxLength?: number;
  /** Told of what could not be kept: nothing waits for it, and nothing fails because of it. */
  readonly onError: (error: Error) => void;
}

const DEFAULT_MAX_LENGTH = 16 * 1024;
/** Jobs that are kept of one turn, and bytes of them all: a loop over ten thousand items must not fill Redis. */
const MOST_JOBS = 2000;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Keeps what jobs were given and what they gave. It is written beside the result of a job and never waited for: a turn
 * without a part of its history is better than a slow one.
 */
export class HistoryWriter {
  readonly #connection: QueueConnection;
  readonly #options: HistoryWriterOptions;

  constructor(connection: QueueConnection, options: HistoryWriterOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** A job that is done once more takes the place of the first time. */
  keep(job: StepJob, result: StepResult, times: JobTimes): void {
    const { redis, keys } = this.#connection;
    const { maxLength = DEFAULT_MAX_LENGTH, onError } = this.#options;
    const { meta, history } = keys.turn(turnOfJob(job.id));
    const json = JSON.stringify(turnJob(job, result, times, maxLength));
    KEEP_JOB.run(redis, { keys: [meta, history], args: [job.id, json, MOST_JOBS, MOST_BYTES] }).catch(
      (error: unknown) => onError(error instanceof Error ? error : new Error(String(error))),
    );
  }
}
