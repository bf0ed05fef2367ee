import { type HistoryConfig, type StepJob, type StepResult, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { KEEP_JOB } from '../scripts/history-script.ts';
import { type JobEnd, turnJob } from './turn-job.ts';

/** Of one text, in characters, where the configuration does not say. */
export const DEFAULT_MAX_LENGTH = 16 * 1024;
/** Jobs that are kept of one turn, and bytes of them all: a loop over ten thousand items must not fill Redis. */
const MOST_JOBS = 2000;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Keeps what jobs were given and what they gave. It is written beside the result of a job and never waited for: a turn
 * without a part of its history is better than a slow one.
 */
export class HistoryWriter {
  readonly #connection: QueueConnection;
  readonly #maxLength: number;
  readonly #onError: (error: Error) => void;

  /**
   * @param maxLength of one text, in characters
   * @param onError told of what could not be kept: nothing waits for it, and nothing fails because of it
   */
  constructor(connection: QueueConnection, maxLength: number, onError: (error: Error) => void) {
    this.#connection = connection;
    this.#maxLength = maxLength;
    this.#onError = onError;
  }

  /** The one that a configuration asks for; undefined when nothing is to be kept. */
  static of(
    config: HistoryConfig | undefined,
    connection: QueueConnection,
    onError: (error: Error) => void,
  ): HistoryWriter | undefined {
    if (config?.steps !== 'on') return undefined;
    return new HistoryWriter(connection, config.max_bytes ?? DEFAULT_MAX_LENGTH, onError);
  }

  /** A job that is done once more takes the place of the first time. */
  keep(job: StepJob, result: StepResult, end: JobEnd): void {
    const { redis, keys } = this.#connection;
    const { meta, history } = keys.turn(turnOfJob(job.id));
    const json = JSON.stringify(turnJob(job, result, end, this.#maxLength));
    KEEP_JOB.run(redis, { keys: [meta, history], args: [job.id, json, MOST_JOBS, MOST_BYTES] }).catch(
      (error: unknown) => this.#onError(error instanceof Error ? error : new Error(String(error))),
    );
  }
}
