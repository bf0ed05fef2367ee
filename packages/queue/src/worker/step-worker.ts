import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type JobId, SkillyardError, type StepJob, type StepResult } from '@skillyard/contracts';
import { type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { QueueConnection } from '../connection.ts';
import type { Ticket } from '../envelope.ts';
import { insist } from '../insist.ts';
import { postResult } from '../results/post-result.ts';
import { BACKOFF, MAX_LOST_WORKERS, RETRY_DELAY_MS, retryDelayMs, shouldRetry } from '../retry-policy.ts';
import { queueOfClass } from '../step-route.ts';
import type { OnTransition, Transition } from '../transition.ts';
import { listenForAborts } from './aborts.ts';
import { claimJob, releaseJob } from './claim.ts';

/** Does a step job. A failure of the outside world is a result; an exception is a bug, and becomes one too. */
export type ExecuteJob = (
  job: StepJob,
  context: { readonly signal: AbortSignal },
) => Promise<StepResult> | StepResult;

/** What a worker tells of itself. Holds ids and codes, never a payload. */
export type WorkerNotice =
  | {
      readonly type: 'job.finished';
      readonly jobId: string;
      readonly status: string;
      readonly code?: string;
      readonly ms: number;
    }
  | { readonly type: 'job.retried'; readonly jobId: string; readonly code: string; readonly attempt: number }
  | { readonly type: 'job.skipped'; readonly jobId: string; readonly reason: 'gone' | 'done' | 'aborted' }
  | { readonly type: 'job.lost'; readonly jobId: string; readonly holder: string }
  | { readonly type: 'job.returned'; readonly jobId: string }
  | { readonly type: 'error'; readonly message: string };

export interface StepWorkerOptions {
  readonly connection: QueueConnection;
  /** `model`, or a class of tools. */
  readonly workerClass: string;
  readonly execute: ExecuteJob;
  readonly concurrency: number;
  readonly onNotice?: (notice: WorkerNotice) => void;
  readonly retryDelayMs?: number;
  /** A worker is dead when it has not renewed its lock for this long: the bound of a takeover. Default 10 s. */
  readonly lockMs?: number;
  readonly onTransition?: OnTransition;
}

export interface StepWorker {
  /**
   * Takes no more jobs and waits for those under way. What is not done in time is handed to another worker, unless a
   * repeat could be seen: such a call is waited for.
   */
  close(graceMs?: number): Promise<void>;
}

/** How long a closing worker waits for what it is doing. */
const GRACE_MS = 20_000;
const LOCK_MS = 10_000;

class RetryLater extends Error {
  readonly askedMs: number;
  constructor(code: string, askedMs: number) {
    super(code);
    this.name = 'RetryLater';
    this.askedMs = askedMs;
  }
}

/** A job under way. */
interface Running {
  /** Its name as an attempt. */
  readonly name: string;
  readonly abort: AbortController;
  readonly repeatable: boolean;
}

/** Starts a worker of one class. */
export async function startStepWorker(options: StepWorkerOptions): Promise<StepWorker> {
  const worker = new RunningStepWorker(options);
  await worker.start();
  return worker;
}

class RunningStepWorker implements StepWorker {
  readonly #options: StepWorkerOptions;
  readonly #name = `${hostname()}.${process.pid}.${randomUUID().slice(0, 8)}`;
  readonly #running = new Map<JobId, Running>();
  #attempts = 0;
  #bull: Worker<Ticket> | undefined;
  #aborts: { close(): void } | undefined;

  constructor(options: StepWorkerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { connection, workerClass, concurrency } = this.#options;
    this.#aborts = await listenForAborts(connection, (jobId) =>
      this.#running
        .get(jobId)
        ?.abort.abort(new SkillyardError('TURN_CANCELLED', 'the job is no longer wanted')),
    );
    const queue = queueOfClass(workerClass);
    const lockMs = this.#options.lockMs ?? LOCK_MS;
    const worker = new Worker<Ticket>(queue, (ticket, token) => this.#process(ticket, token ?? ''), {
      connection: connection.open(),
      prefix: connection.keys.queuePrefix(queue),
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      maxStalledCount: MAX_LOST_WORKERS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      settings: {
        backoffStrategy: (attempt, type, error) => {
          if (type !== BACKOFF) return -1;
          const askedMs = error instanceof RetryLater ? error.askedMs : 0;
          return retryDelayMs(
            attempt ?? 1,
            this.#options.retryDelayMs ?? RETRY_DELAY_MS,
            Math.random(),
            askedMs,
          );
        },
      },
    });
    worker.on('error', (error) => this.#notice({ type: 'error', message: error.message }));
    worker.on('completed', () => void this.#reach('ack.after'));
    worker.on('failed', (ticket, error) => this.#postIfLostTooOften(ticket, error));
    this.#bull = worker;
    await worker.waitUntilReady();
  }

  async close(graceMs = GRACE_MS): Promise<void> {
    const timer = setTimeout(() => this.#handBack(), graceMs);
    await this.#bull?.close();
    clearTimeout(timer);
    this.#aborts?.close();
  }

  #handBack(): void {
    for (const { abort, repeatable } of this.#running.values()) if (repeatable) abort.abort(HAND_BACK);
  }

  async #process(ticket: Job<Ticket>, token: string): Promise<void> {
    const jobId = ticket.id as JobId;
    const { effect } = ticket.data;
    const { connection } = this.#options;
    const name = `${this.#name}.${this.#attempts++}`;
    const running = { name, abort: new AbortController(), repeatable: effect !== 'once' };
    // Registered before the claim: an abort that comes between the two must find it.
    this.#running.set(jobId, running);
    try {
      await this.#reach('claim.before');
      const claim = await this.#insist(() => claimJob(connection, jobId, effect, name));
      await this.#reach('claim.after');
      if (claim.kind === 'lost') {
        this.#notice({ type: 'job.lost', jobId, holder: claim.holder });
        await this.#post({ jobId, status: 'lost', text: '' });
        return;
      }
      if (claim.kind !== 'run') {
        this.#notice({ type: 'job.skipped', jobId, reason: claim.kind });
        return;
      }
      await this.#run(ticket, token, claim.envelope.job, running);
    } finally {
      this.#running.delete(jobId);
    }
  }

  async #run(ticket: Job<Ticket>, token: string, job: StepJob, running: Running): Promise<void> {
    const startedAtMs = Date.now();
    await this.#reach('execute.before');
    const result = await this.#execute(job, running.abort);
    await this.#reach('execute.after');
    const reason: unknown = running.abort.signal.reason;
    if (reason === HAND_BACK || SkillyardError.is(reason, 'TURN_CANCELLED')) {
      if (reason !== HAND_BACK) {
        this.#notice({ type: 'job.skipped', jobId: job.id, reason: 'aborted' });
        return;
      }
      this.#notice({ type: 'job.returned', jobId: job.id });
      await ticket.moveToWait(token);
      throw new WaitingError();
    }
    const attempt = ticket.attemptsMade + 1;
    if (result.error !== undefined && shouldRetry(result, ticket.data.effect, attempt)) {
      this.#notice({ type: 'job.retried', jobId: job.id, code: result.error.code, attempt });
      if (ticket.data.effect === 'once')
        await this.#insist(() => releaseJob(this.#options.connection, job.id, running.name));
      throw new RetryLater(result.error.code, result.error.retryAfterMs ?? 0);
    }
    await this.#reach('result.before');
    await this.#post({ ...result, worker: this.#name, startedAtMs });
    await this.#reach('done.after');
    const { status } = result;
    const ms = Date.now() - startedAtMs;
    this.#notice({
      type: 'job.finished',
      jobId: job.id,
      status,
      ms,
      ...(result.error && { code: result.error.code }),
    });
  }

  /** Runs a job under its own ceiling of time. An executor that does not listen to its signal is not waited for. */
  async #execute(job: StepJob, abort: AbortController): Promise<StepResult> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<StepResult>((resolve) => {
      if (job.timeoutMs === undefined) return;
      const name = job.step === '' ? 'the step' : `step "${job.step}"`;
      const reason = new SkillyardError(
        'STEP_TIMEOUT',
        `${name} took longer than its timeout of ${job.timeoutMs} ms`,
      );
      timer = setTimeout(() => {
        abort.abort(reason);
        resolve(failedResult(job.id, reason));
      }, job.timeoutMs);
    });
    try {
      return await Promise.race([this.#options.execute(job, { signal: abort.signal }), timeout]);
    } catch (error) {
      return failedResult(job.id, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A job that took several workers down with it: BullMQ fails it without running it, and somebody has to say so. */
  #postIfLostTooOften(ticket: Job<Ticket> | undefined, error: Error): void {
    if (ticket === undefined || !(error instanceof UnrecoverableError)) return;
    const jobId = ticket.id as JobId;
    const message = `given up after ${MAX_LOST_WORKERS + 1} workers died or hung while they ran it`;
    const result: StepResult = { jobId, status: 'lost', text: '', error: { code: 'STEP_LOST', message } };
    void this.#post(result);
  }

  #post(result: StepResult): Promise<void> {
    return this.#insist(() => postResult(this.#options.connection, result, this.#options.onTransition));
  }

  /** What must not be lost while Redis is away: a slot of this worker waits with it. */
  #insist<T>(work: () => Promise<T>): Promise<T> {
    return insist(work, (error) => this.#notice({ type: 'error', message: error.message }));
  }

  #reach(transition: Transition): void | Promise<void> {
    return this.#options.onTransition?.(transition);
  }

  #notice(notice: WorkerNotice): void {
    this.#options.onNotice?.(notice);
  }
}

/** The reason of an abort by a worker that is closing. */
const HAND_BACK = new SkillyardError('SERVER_UNAVAILABLE', 'the worker is being stopped');

/** The result of a job whose executor threw. */
function failedResult(jobId: JobId, error: unknown): StepResult {
  const message = error instanceof Error ? error.message : String(error);
  const code = SkillyardError.is(error) ? error.code : 'STEP_FAILED';
  return { jobId, status: 'error', text: '', error: { code, message } };
}
