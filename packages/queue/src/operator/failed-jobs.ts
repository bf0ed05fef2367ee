import {
  type JobId,
  SkillyardError,
  type StepError,
  type StepJob,
  type StepResult,
} from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { queueOfClass } from '../step-route.ts';
import { RECORD_FAILURES } from '../scripts/failure-script.ts';

/** Stands for the queue of jobs that need no worker. */
const NO_QUEUE = 'orchestrator';
/** Where the failed jobs of a class are: `orchestrator` is the class of those that need no worker. */
export function failuresOf(workerClass: string): string {
  return workerClass === NO_QUEUE ? NO_QUEUE : queueOfClass(workerClass);
}

/** Failed jobs that are remembered of one queue. */
const MOST = 10_000;
/** A queue without a failure for so long is forgotten. */
const TTL_SECONDS = 7 * 24 * 60 * 60;
/** Characters of a message that are remembered. */
const MESSAGE_LENGTH = 500;
const DEFAULT_LIMIT = 50;

/** A job whose last result was a failure. Holds no arguments and no answers. */
export interface FailedJob {
  readonly jobId: JobId;
  readonly path: string;
  readonly step: string;
  readonly kind: StepJob['kind'];
  /** What it was for: `server:tool`, a model, a skill. */
  readonly target: string;
  readonly queue: string;
  readonly status: StepResult['status'];
  readonly code: string;
  readonly message: string;
  readonly atMs: number;
  /** The worker that ran it last, where that is known. */
  readonly worker: string | null;
  /** How often it was started; null where no worker was needed. */
  readonly attempts: number | null;
}

export interface FailedJobsPage {
  /** Newest first. */
  readonly jobs: readonly FailedJob[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

/** What is known of a job when its result comes. */
export interface FailingJob {
  readonly id: JobId;
  readonly kind: StepJob['kind'];
  readonly queue: string | null;
  readonly path: string;
  readonly step: string;
  readonly target: string;
}

/** Describes a failure. */
export function failedJob(job: FailingJob, result: StepResult, atMs: number): FailedJob {
  const error = errorOf(result);
  return {
    jobId: job.id,
    path: job.path,
    step: job.step,
    kind: job.kind,
    target: job.target,
    queue: job.queue ?? NO_QUEUE,
    status: result.status,
    code: error.code,
    message: error.message.slice(0, MESSAGE_LENGTH),
    atMs,
    worker: result.worker ?? null,
    attempts: result.attempts ?? null,
  };
}

function errorOf({ status, error }: StepResult): StepError {
  if (error !== undefined) return error;
  if (status === 'lost')
    return { code: 'STEP_LOST', message: 'its worker died while it ran, and it must not run twice' };
  if (status === 'denied') return { code: 'STEP_DENIED', message: 'permission refused' };
  return { code: 'STEP_FAILED', message: 'it failed' };
}

const CURSOR = /^(\d{1,16})\/(.+)$/;

/** Where a page begins that follows a job. */
export function cursorAfter({ atMs, jobId }: FailedJob): string {
  return `${atMs}/${jobId}`;
}

/** The failed jobs of every queue, newest first and so many at most. A job is there once, with its last failure. */
export class FailedJobs {
  readonly #connection: QueueConnection;
  /** Queues that are known to be in the set of queues. */
  readonly #known = new Set<string>();

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  async record(jobs: readonly FailedJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const { redis, keys } = this.#connection;
    const byQueue = new Map<string, FailedJob[]>();
    for (const job of jobs) byQueue.set(job.queue, [...(byQueue.get(job.queue) ?? []), job]);
    const unknown = [...byQueue.keys()].filter((queue) => !this.#known.has(queue));
    if (unknown.length > 0) await redis.sadd(keys.failedQueues, ...unknown);
    const calls = [...byQueue].map(([queue, group]) => ({
      keys: Object.values(keys.failed(queue)),
      args: [MOST, TTL_SECONDS, ...group.flatMap((job) => [job.atMs, job.jobId, JSON.stringify(job)])],
    }));
    await RECORD_FAILURES.runMany(redis, calls);
    for (const queue of unknown) this.#known.add(queue);
  }

  /** The queues that have had failed jobs. */
  async queues(): Promise<string[]> {
    return (await this.#connection.redis.smembers(this.#connection.keys.failedQueues)).toSorted();
  }

  /**
   * @param cursor `next` of the page before
   * @throws SkillyardError INPUT_INVALID if it is none
   */
  async list(queue: string, cursor: string | null = null, limit = DEFAULT_LIMIT): Promise<FailedJobsPage> {
    const { redis, keys } = this.#connection;
    const { times, jobs } = keys.failed(queue);
    const from = cursor === null ? 0 : await this.#rankAfter(times, cursor);
    const ids = await redis.zrevrange(times, from, from + limit - 1);
    if (ids.length === 0) return { jobs: [], next: null };
    const texts = await redis.hmget(jobs, ...ids);
    const found = texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as FailedJob]));
    const last = found.at(-1);
    const isFull = ids.length === limit && last !== undefined;
    return { jobs: found, next: isFull ? cursorAfter(last) : null };
  }

  /** Newest first over all queues; the first page of each. */
  async listAll(limit = DEFAULT_LIMIT): Promise<FailedJob[]> {
    const pages = await Promise.all((await this.queues()).map((queue) => this.list(queue, null, limit)));
    return pages
      .flatMap(({ jobs }) => jobs)
      .toSorted((a, b) => b.atMs - a.atMs)
      .slice(0, limit);
  }

  async get(jobId: JobId): Promise<FailedJob | null> {
    const { redis, keys } = this.#connection;
    const queues = await this.queues();
    const texts = await Promise.all(queues.map((queue) => redis.hget(keys.failed(queue).jobs, jobId)));
    const text = texts.find((one) => one !== null) ?? null;
    return text === null ? null : (JSON.parse(text) as FailedJob);
  }

  /** Forgets the failure of a job that is given another chance. */
  async remove(jobId: JobId): Promise<void> {
    const job = await this.get(jobId);
    if (job === null) return;
    const { redis, keys } = this.#connection;
    const { times, jobs } = keys.failed(job.queue);
    await redis.multi().zrem(times, jobId).hdel(jobs, jobId).exec();
  }

  /** The rank of what follows a job, which may be gone meanwhile. */
  async #rankAfter(times: string, cursor: string): Promise<number> {
    const [, atMs, jobId] = CURSOR.exec(cursor) ?? [];
    if (atMs === undefined || jobId === undefined)
      throw new SkillyardError('INPUT_INVALID', 'the cursor is not one that a page before gave as `next`');
    const rank = await this.#connection.redis.zrevrank(times, jobId);
    return rank === null ? this.#connection.redis.zcount(times, atMs, '+inf') : rank + 1;
  }
}
