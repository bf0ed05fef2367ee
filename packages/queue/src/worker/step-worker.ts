/*
 * Longer than other files: the order of claim, work, post and tell is the protocol, and is to be read in one place.
 */
import {
  type AttemptEnd,
  type JobAttempt,
  type JobId,
  SkillyardError,
  type StepJob,
  type StepResult,
} from '@skillyard/contracts';
import { beginsInTime, DEFAULT_RETRY_POLICY, retryDelayMs, shouldRetry } from '@skillyard/engine';
import { DelayedError, type Job, WaitingError, Worker } from 'bullmq';
import { BLOCK_MS } from '../connection.ts';
import type { JobEnvelope, Ticket } from '../envelope.ts';
import { insist } from '../insist.ts';
import { COUNTED_MINUTES } from '../operator/done-per-minute.ts';
import { packResult } from '../payload.ts';
import { postPacked } from '../results/post-result.ts';
import { BACKOFF } from '../step-queues.ts';
import { queueOfClass } from '../step-route.ts';
import type { Transition } from '../transition.ts';
import { listenForAborts } from './aborts.ts';
import { type Acquired, acquireJob, type AcquireParts } from './acquire-job.ts';
import { type Holder, holdsJob, releaseJob, textOf } from './claim.ts';
import { limiterOf, writeLimits } from './class-limits.ts';
import { executeJob } from './execute-job.ts';
import { type Heartbeat, type HeartbeatMark, startHeartbeat } from './heartbeat.ts';
import { attemptOf } from './job-attempt.ts';
import { noticeJob } from './notice-job.ts';
import type { StepWorkerOptions } from './step-worker-options.ts';
import { tellCapacity } from './tell-capacity.ts';
import { type JobStory, logOf, type WorkerNotice } from './worker-notice.ts';

export interface StepWorker {
  /**
   * Takes no more jobs and waits for those under way. What is not done in time is handed to another worker, unless a
   * repeat could be seen: such a call is waited for.
   */
  close(graceMs?: number): Promise<void>;
}

/** How long a closing worker waits for what it is doing. */
const GRACE_MS = 20_000;
/** How long a ticket is put aside that is ahead of its job: the commit that asks for the job is on its way. */
const AHEAD_MS = 250;
/**
 * How soon a ticket is looked at by another worker. Not a verdict: the heartbeat decides, and it runs out a little
 * earlier than the lock of a worker that died.
 */
const LOCK_MS = 6000;
/** A heartbeat in a lock. */
const HEARTBEATS_PER_LOCK = 5 / 6;
/** Looks for stalled tickets in the time of a lock: what is found dead is run again after one and a third of it. */
const LOOKS_PER_LOCK = 3;
/** BullMQ's count of stalls is none of deaths: a busy process stalls as well. Ours are counted in the claim. */
const MAX_STALLS = 1_000_000;
/**
 * How often a job may lose its worker before it fails. More than one loss is most likely the job's own doing (a tool
 * server that takes the process down with it), and each costs a worker.
 */
const MAX_LOST_WORKERS = 3;

class RetryLater extends Error {
  readonly delayMs: number;
  constructor(code: string, delayMs: number) {
    super(code);
    this.name = 'RetryLater';
    this.delayMs = delayMs;
  }
}

/** A ticket under way. */
interface Running {
  readonly ticket: Job<Ticket>;
  readonly jobId: JobId;
  readonly token: string;
  readonly abort: AbortController;
  readonly mark: HeartbeatMark;
  holder: Holder;
  /** What is done; undefined until it is ours to do. */
  attempt?: JobAttempt;
  /** The posting of its result, once it has begun. */
  posted: Promise<void>;
}

const NOTHING_POSTED = Promise.resolve();

/** Starts a worker of one class. */
export async function startStepWorker(options: StepWorkerOptions): Promise<StepWorker> {
  const lockMs = options.lockMs ?? LOCK_MS;
  const { connection, workerClass, concurrency, onNotice } = options;
  const onError = ({ message }: Error): void => onNotice?.({ type: 'error', message });
  const heartbeat =
    options.heartbeat ?? (await startHeartbeat({ connection, ttlMs: lockMs * HEARTBEATS_PER_LOCK, onError }));
  const worker = new RunningStepWorker(options, heartbeat);
  await worker.start(lockMs);
  const told = await tellCapacity({
    connection,
    queue: queueOfClass(workerClass),
    worker: heartbeat.worker,
    concurrency,
    everyMs: heartbeat.everyMs,
    onError,
  });
  return {
    close: async (graceMs) => {
      await told.close();
      await worker.close(graceMs);
      if (options.heartbeat === undefined) await heartbeat.close();
    },
  };
}

/**
 * W1  Before a job is run its claim is ours, and while it runs it stays ours, unless we are found dead.
 * W2  A ticket whose job is held by a worker that is not proven dead is put back and looked at again, however long the
 *     job takes.
 * W3  Before a result is posted we know that the claim is still ours: by an unbroken heartbeat, or by asking. A result
 *     that comes too late is dropped, and the trace says so.
 */
class RunningStepWorker implements StepWorker {
  readonly #options: StepWorkerOptions;
  readonly #heartbeat: Heartbeat;
  readonly #running = new Set<Running>();
  #attempts = 0;
  #bull: Worker<Ticket> | undefined;
  #aborts: { close(): void } | undefined;

  constructor(options: StepWorkerOptions, heartbeat: Heartbeat) {
    this.#options = options;
    this.#heartbeat = heartbeat;
  }

  async start(lockMs: number): Promise<void> {
    const { connection, workerClass, concurrency, limits } = this.#options;
    this.#aborts = await listenForAborts(connection, (jobId) => this.#abort(jobId));
    const queue = queueOfClass(workerClass);
    if (limits !== undefined) await writeLimits(connection, queue, limits);
    const worker = new Worker<Ticket>(queue, (ticket, token) => this.#process(ticket, token ?? ''), {
      // The one that claims and results go by: what is sent in one turn of the event loop is one write.
      connection: connection.redis,
      prefix: connection.keys.queuePrefix(queue),
      concurrency,
      ...limiterOf(limits),
      lockDuration: lockMs,
      stalledInterval: Math.round(lockMs / LOOKS_PER_LOCK),
      maxStalledCount: MAX_STALLS,
      drainDelay: BLOCK_MS / 1000,
      // For the rate that people see: one more count in the script that completes a ticket.
      metrics: { maxDataPoints: COUNTED_MINUTES },
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      settings: {
        backoffStrategy: (attempt, type, error) => {
          if (type !== BACKOFF) return -1;
          return error instanceof RetryLater ? error.delayMs : this.#delayMs(attempt ?? 1);
        },
      },
    });
    worker.on('error', (error) => this.#notice({ type: 'error', message: error.message }));
    worker.on('completed', () => void this.#reach('ack.after'));
    this.#bull = worker;
    await worker.waitUntilReady();
  }

  async close(graceMs = GRACE_MS): Promise<void> {
    const timer = setTimeout(() => this.#handBack(), graceMs);
    await this.#bull?.close();
    await Promise.all([...this.#running].map(({ posted }) => posted));
    clearTimeout(timer);
    this.#aborts?.close();
  }

  #handBack(): void {
    for (const running of this.#running) if (isRepeatable(running)) running.abort.abort(HAND_BACK);
  }

  #abort(jobId: JobId): void {
    for (const running of this.#running) if (running.jobId === jobId) running.abort.abort(UNWANTED);
  }

  async #process(ticket: Job<Ticket>, token: string): Promise<void> {
    const { worker } = this.#heartbeat;
    const running: Running = {
      ticket,
      jobId: ticket.id as JobId,
      token,
      abort: new AbortController(),
      mark: this.#heartbeat.mark(),
      holder: { worker, attempt: this.#attempts++, lost: 0 },
      posted: NOTHING_POSTED,
    };
    // Registered before the claim: an abort that comes between the two must find it.
    this.#running.add(running);
    try {
      await this.#reach('claim.before');
      const envelope = await this.#claim(running);
      await this.#reach('claim.after');
      if (envelope !== null) await this.#run(envelope, running);
    } finally {
      // Until its result is posted the job is under way, whatever becomes of the ticket.
      void running.posted.then(() => this.#running.delete(running));
    }
  }

  /** @returns the job, which is ours to run now; null when there is nothing left to do for this ticket */
  async #claim(running: Running): Promise<JobEnvelope | null> {
    const { jobId } = running;
    const parts: AcquireParts = {
      connection: this.#options.connection,
      isAbandoned: (holder) => this.#isAbandoned(holder),
      insist: (work) => this.#insist(work),
    };
    const acquired = await acquireJob(parts, jobId, running.holder);
    switch (acquired.kind) {
      case 'ours':
        return acquired.envelope;
      case 'inherited':
        running.holder = acquired.holder;
        return this.#inherit(acquired, running);
      case 'elsewhere':
        return this.#lookAgain(acquired.holder, running);
      case 'over':
        if (acquired.reason === 'gone' && isFirstLook(running.ticket)) return this.#putAside(running);
        this.#notice({ type: 'job.skipped', jobId, reason: acquired.reason });
        return null;
    }
  }

  /** Whether nobody works on a claimed job any more. */
  async #isAbandoned({ worker, attempt }: Holder): Promise<boolean> {
    if (worker !== this.#heartbeat.worker) return this.#insist(() => this.#heartbeat.provesDead(worker));
    // A ticket of ours that stalled while this process was busy has come back to us.
    return ![...this.#running].some(({ holder }) => holder.attempt === attempt);
  }

  /**
   * Puts a ticket aside whose job is not there. Tickets are sent behind the commit that asks for their jobs, on one connection; but
   * a Redis that was restarted has forgotten the script of the commit, is sent it once more, and that comes behind the ticket.
   */
  async #putAside({ ticket, token }: Running): Promise<never> {
    await ticket.moveToDelayed(Date.now() + AHEAD_MS, token);
    throw new DelayedError();
  }

  /** Puts a ticket back whose job is under way elsewhere (W2). */
  async #lookAgain(holder: Holder, { ticket, jobId, token }: Running): Promise<never> {
    this.#notice({ type: 'job.held', jobId, holder: holder.worker });
    await ticket.moveToDelayed(Date.now() + this.#heartbeat.everyMs, token);
    throw new DelayedError();
  }

  /** Decides about the job of a dead worker: it is run again, or it is lost. */
  async #inherit(
    { envelope, from }: Acquired & { kind: 'inherited' },
    running: Running,
  ): Promise<JobEnvelope | null> {
    const { job } = envelope;
    const { jobId } = running;
    running.attempt = this.#attemptAt(envelope, running);
    const silent = `worker ${from.worker} was not heard of any more while it ran it`;
    const tooOften = running.holder.lost > MAX_LOST_WORKERS;
    if (isRepeatable(running) && !tooOften) {
      const reason = `${silent}; it is run again`;
      await this.#tell(job, running, { what: 'taken-over', reason, worker: from.worker });
      this.#ended(running, { how: 'taken-over', worker: from.worker, endedAtMs: Date.now() });
      return envelope;
    }
    const message = tooOften
      ? `lost: given up after ${running.holder.lost} workers died or hung while they ran it`
      : 'lost: its worker was not heard of any more while it ran, and it may not be run again';
    const reason = tooOften ? `${silent}; ${message}` : `${silent}; it may have been carried out`;
    await this.#tell(job, running, { what: 'lost', reason, worker: from.worker });
    this.#ended(running, { how: 'lost', worker: from.worker, endedAtMs: Date.now() });
    const error = { code: 'STEP_LOST', message };
    await this.#post(job, counted({ jobId, status: 'lost', text: '', error }, running, 0), running);
    return null;
  }

  async #run(envelope: JobEnvelope, running: Running): Promise<void> {
    const { job } = envelope;
    const { ticket, jobId, holder, abort } = running;
    running.attempt = this.#attemptAt(envelope, running);
    const { startedAtMs } = running.attempt;
    await this.#reach('execute.before');
    const firstStartMs = this.#firstStartMs(job, ticket);
    const executed = await executeJob(this.#options.execute, job, abort, firstStartMs);
    const endedAtMs = Date.now();
    const result = counted(executed, running, 1);
    await this.#reach('execute.after');
    if (abort.signal.reason === HAND_BACK) await this.#giveBack(running);
    if (abort.signal.reason === UNWANTED) {
      await this.#tell(job, running, { what: 'aborted', reason: UNWANTED.message });
      this.#ended(running, { how: 'aborted', endedAtMs });
      this.#notice({ type: 'job.skipped', jobId, reason: 'aborted' }, running);
      return;
    }
    const attempt = ticket.attemptsMade + 1;
    const { error } = result;
    const delayMs = this.#delayMs(attempt, error?.retryAfterMs);
    if (
      error !== undefined &&
      shouldRetry(result, ticket.data.effect, attempt, ticket.opts.attempts ?? 1) &&
      beginsInTime(job, firstStartMs, Date.now() + delayMs)
    ) {
      const reason = `${error.code}: ${error.message}`;
      this.#ended(running, { how: 'retried', result, endedAtMs });
      await this.#tell(job, running, { what: 'retried', reason, code: error.code });
      this.#noteDue(ticket, endedAtMs + delayMs);
      await this.#insist(() => releaseJob(this.#options.connection, jobId, holder));
      throw new RetryLater(error.code, delayMs);
    }
    await this.#reach('result.before');
    if (!(await this.#isOurs(running))) {
      const reason = `it was finished (${result.status}) after it had been given up for dead, and what it gave was dropped`;
      await this.#tell(job, running, { what: 'late', reason });
      this.#ended(running, { how: 'late', result, endedAtMs });
      return;
    }
    await this.#post(job, { ...result, worker: this.#heartbeat.worker, startedAtMs }, running);
    const ms = Date.now() - startedAtMs;
    const code = result.error?.code;
    this.#ended(running, { how: 'done', result, endedAtMs });
    this.#notice({ type: 'job.finished', jobId, status: result.status, ms, ...(code && { code }) }, running);
  }

  /** When the first attempt at a job began, which another worker may have made. The ticket carries it on. */
  #firstStartMs({ timeoutMs }: StepJob, ticket: Job<Ticket>): number {
    const startedAtMs = ticket.data.startedAtMs ?? Date.now();
    if (timeoutMs === undefined || ticket.data.startedAtMs !== undefined) return startedAtMs;
    this.#writeOn(ticket, { startedAtMs });
    return startedAtMs;
  }

  /** Since when the ticket waits again: for whoever is told of attempts, and for nobody else. */
  #noteDue(ticket: Job<Ticket>, dueAtMs: number): void {
    if (this.#options.onAttempt !== undefined) this.#writeOn(ticket, { dueAtMs });
  }

  /** Not waited for: whatever this worker says about the ticket later is sent after it. */
  #writeOn(ticket: Job<Ticket>, facts: Partial<Ticket>): void {
    ticket
      .updateData({ ...ticket.data, ...facts })
      .catch((error: unknown) => this.#notice({ type: 'error', message: String(error) }));
  }

  #delayMs(attempt: number, askedMs?: number): number {
    const policy = this.#options.retries ?? DEFAULT_RETRY_POLICY;
    return retryDelayMs(attempt, policy, Math.random(), askedMs);
  }

  async #giveBack(running: Running): Promise<never> {
    const { ticket, jobId, token, holder } = running;
    await this.#insist(() => releaseJob(this.#options.connection, jobId, holder));
    this.#ended(running, { how: 'returned', endedAtMs: Date.now() });
    this.#notice({ type: 'job.returned', jobId }, running);
    this.#noteDue(ticket, Date.now());
    await ticket.moveToWait(token);
    throw new WaitingError();
  }

  /** Whether the claim is still ours (W3). Asking costs a round trip, so it is asked only when it may not be. */
  async #isOurs({ jobId, holder, mark }: Running): Promise<boolean> {
    if (this.#heartbeat.isUnbroken(mark)) return true;
    return this.#insist(() => holdsJob(this.#options.connection, jobId, holder));
  }

  /**
   * Posts a result (Q7). The posting is sent and not waited for: the ticket is completed on the same connection, after
   * it. Only a test that wants to see what lies between the two waits.
   */
  async #post(job: StepJob, result: StepResult, running: Running): Promise<void> {
    const { connection, history, onTransition } = this.#options;
    const { jobId, holder, ticket } = running;
    // Before the result, on the same connection: the turn that the result ends finds it there.
    history?.keep(job, result, {
      endedAtMs: Date.now(),
      attempts: result.attempts ?? ticket.attemptsMade + holder.lost + 1,
    });
    const packed = await this.#insist(() => packResult(connection, result, textOf(holder)));
    if (packed === 'unwanted') return;
    running.posted = this.#insist(() => postPacked(connection, jobId, packed));
    if (onTransition === undefined) return;
    await running.posted;
    await onTransition('result.after');
  }

  /** Tells what happened to a job: in the log, and in the trace of its turn. */
  async #tell(job: StepJob, running: Running, story: JobStory): Promise<void> {
    const { jobId, ticket } = running;
    const attempt = ticket.attemptsMade + 1;
    const { what, reason, worker = this.#heartbeat.worker } = story;
    this.#notice(logOf(jobId, attempt, story), running);
    const facts = { path: job.path, jobId, what, attempt, reason, worker, atMs: Date.now() };
    try {
      await noticeJob(this.#options.connection, { type: 'job.noticed', ...facts });
    } catch (error) {
      // A trace without a notice is better than a job that waits for it.
      this.#notice({ type: 'error', message: `trace of ${jobId}: ${String(error)}` });
    }
  }

  /** What must not be lost while Redis is away: a slot of this worker waits with it. */
  #insist<T>(work: () => Promise<T>): Promise<T> {
    return insist(work, (error) => this.#notice({ type: 'error', message: error.message }));
  }

  #reach(transition: Transition): void | Promise<void> {
    return this.#options.onTransition?.(transition);
  }

  #attemptAt(envelope: JobEnvelope, { ticket, holder }: Running): JobAttempt {
    const { workerClass } = this.#options;
    return attemptOf(envelope, ticket, holder, { workerClass, startedAtMs: Date.now() });
  }

  #ended({ attempt }: Running, end: AttemptEnd): void {
    if (attempt !== undefined) this.#options.onAttempt?.(attempt, end);
  }

  #notice(notice: WorkerNotice, running?: Running): void {
    this.#options.onNotice?.(notice, running?.attempt);
  }
}

/**
 * A failure with how often its job was started: attempts that were tried again, and those that died with their workers.
 * @param own 1 if this worker started it, too
 */
function counted(result: StepResult, { ticket, holder }: Running, own: 0 | 1): StepResult {
  if (result.error === undefined) return result;
  return { ...result, attempts: ticket.attemptsMade + holder.lost + own };
}

function isRepeatable({ ticket }: Running): boolean {
  return ticket.data.effect !== 'once';
}

/** The reason of an abort by a worker that is closing. */
const HAND_BACK = new SkillyardError('SERVER_UNAVAILABLE', 'the worker is being stopped');
/** The reason of an abort by a turn that goes on, or ended, without the job. */
const UNWANTED = new SkillyardError('TURN_CANCELLED', 'the job is no longer wanted');

/** Whether a ticket was never taken before. */
function isFirstLook({ attemptsStarted }: Job<Ticket>): boolean {
  return attemptsStarted <= 1;
}
