import { type JobId, SkillyardError, type StepJob, type StepResult } from '@skillyard/contracts';
import {
  type ExecuteJob,
  type HistoryWriter,
  insist,
  type JobEnvelope,
  postResult,
  type QueueConnection,
} from '@skillyard/queue';
import type { Telemetry } from '@skillyard/telemetry';
import type { Logger } from './logger.ts';

type Envelope = Pick<JobEnvelope, 'job' | 'traceparent'>;

/** A job of this process waits for nobody and is not tried again. */
const ATTEMPT = { workerClass: 'orchestrator', worker: '', attempt: 1, lost: 0, readyAtMs: null };

/**
 * Jobs that the orchestrator answers itself: values from working memory, and assets that no tool server gives. They run
 * beside the loop and their results take the same way as any other, so that a crash leaves them in the outbox, to be done
 * again.
 */
export class InlineJobs {
  readonly #connection: QueueConnection;
  readonly #execute: ExecuteJob;
  readonly #log: Logger;
  readonly #history: HistoryWriter | undefined;
  readonly #telemetry: Telemetry | undefined;
  readonly #running = new Map<JobId, AbortController>();

  constructor(parts: {
    readonly connection: QueueConnection;
    readonly execute: ExecuteJob;
    readonly log: Logger;
    readonly history?: HistoryWriter | undefined;
    readonly telemetry?: Telemetry | undefined;
  }) {
    this.#connection = parts.connection;
    this.#execute = parts.execute;
    this.#log = parts.log;
    this.#history = parts.history;
    this.#telemetry = parts.telemetry;
  }

  /** Starts a job, unless it is under way. */
  start(envelope: Envelope): void {
    const { id } = envelope.job;
    if (this.#running.has(id)) return;
    const abort = new AbortController();
    this.#running.set(id, abort);
    void this.#answer(envelope, abort);
  }

  /** Answers a job that nobody will ever do. */
  refuse(job: StepJob, error: SkillyardError): void {
    void this.#post(job, {
      jobId: job.id,
      status: error.code === 'STEP_DENIED' ? 'denied' : 'error',
      text: '',
      error: { code: error.code, message: error.message },
    });
  }

  /** Stops jobs whose results no longer matter. */
  drop(jobIds: readonly JobId[]): void {
    for (const id of jobIds) this.#running.get(id)?.abort(dropped());
  }

  close(): void {
    this.drop([...this.#running.keys()]);
  }

  async #answer({ job, traceparent }: Envelope, abort: AbortController): Promise<void> {
    const startedAtMs = Date.now();
    const result = await this.#run(job, abort.signal);
    const how = abort.signal.aborted ? 'aborted' : 'done';
    const attempt = { ...ATTEMPT, job, traceparent, enqueuedAtMs: startedAtMs, startedAtMs };
    this.#telemetry?.attemptEnded(attempt, { how, result, endedAtMs: Date.now() });
    if (!abort.signal.aborted) await this.#post(job, { ...result, startedAtMs });
    this.#running.delete(job.id);
  }

  async #run(job: StepJob, signal: AbortSignal): Promise<StepResult> {
    try {
      return await this.#execute(job, { signal });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = SkillyardError.is(error) ? error.code : 'STEP_FAILED';
      return { jobId: job.id, status: 'error', text: '', error: { code, message } };
    }
  }

  #post(job: StepJob, result: StepResult): Promise<void> {
    this.#history?.keep(job, result, { endedAtMs: Date.now(), attempts: null });
    return insist(
      () => postResult(this.#connection, result),
      (error) =>
        this.#log.warn({ jobId: result.jobId, reason: error.message }, 'a result cannot be posted yet'),
    );
  }
}

function dropped(): SkillyardError {
  return new SkillyardError('TURN_CANCELLED', 'the result is no longer wanted');
}
