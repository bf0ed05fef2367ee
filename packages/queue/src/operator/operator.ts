import { type JobId, SkillyardError, type TurnId, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { noteAnswer } from '../history/note-answer.ts';
import type { TurnState } from '../turns/turn-status.ts';
import { TurnStore } from '../turns/turn-store.ts';
import { cursorAfter, type FailedJob, FailedJobs, failuresOf, type FailedJobsPage } from './failed-jobs.ts';
import { type Remedy, reopenTurn, whyNotReopenable } from './reopen-turn.ts';
import { explainTurn, type TurnExplanation } from './why.ts';

/** A failed job, with what can be done about it. */
export interface InspectedJob {
  readonly job: FailedJob | null;
  readonly jobId: JobId;
  /** null when the turn is forgotten. */
  readonly turnStatus: TurnState | null;
  /** Why it cannot be redriven; null when it can. */
  readonly notRedrivable: string | null;
  /** Why its turn cannot be reopened at all; null when it can be resolved with a value or run again knowingly. */
  readonly notResolvable: string | null;
}

/** What became of the failed jobs of a class. */
export interface RedriveReport {
  readonly redriven: readonly JobId[];
  readonly refused: readonly { readonly jobId: JobId; readonly reason: string }[];
}

/** Which failed jobs are listed. */
export interface FailedJobsQuery {
  readonly workerClass?: string;
  /** `next` of the page before; of one class only. */
  readonly cursor?: string;
  readonly limit?: number;
  /** Those of its turns only. */
  readonly tenant?: string;
}

/** Failed jobs that are looked at for one page. */
const MOST_LOOKED_AT = 2000;
const DEFAULT_LIMIT = 50;
/** Failed jobs that are read together. */
const CHUNK = 200;

/** What people do about turns that wait or failed: for the command line and the HTTP API. */
export class Operator {
  readonly #connection: QueueConnection;
  readonly #store: TurnStore;
  readonly #failed: FailedJobs;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
    this.#store = new TurnStore(connection);
    this.#failed = new FailedJobs(connection);
  }

  /** @throws SkillyardError TURN_NOT_FOUND */
  explainTurn(turnId: TurnId): Promise<TurnExplanation> {
    return explainTurn(this.#connection, turnId);
  }

  /** Failed jobs, newest first: of one class, page by page, or the latest of all. */
  async listFailed(options: FailedJobsQuery = {}): Promise<FailedJobsPage> {
    const { workerClass, cursor, limit, tenant } = options;
    if (tenant !== undefined) return this.#listOf(tenant, options);
    if (workerClass === undefined) return { jobs: await this.#failed.listAll(limit), next: null };
    return this.#failed.list(failuresOf(workerClass), cursor, limit);
  }

  /** The failed jobs of one tenant, among those of all. A page may have fewer than asked for, and still a next. */
  async #listOf(
    tenant: string,
    { workerClass, cursor, limit = DEFAULT_LIMIT }: FailedJobsQuery,
  ): Promise<FailedJobsPage> {
    if (workerClass === undefined) {
      const latest = await this.#failed.listAll(MOST_LOOKED_AT);
      return { jobs: (await this.#only(latest, tenant)).slice(0, limit), next: null };
    }
    const own: FailedJob[] = [];
    let next: string | null = cursor ?? null;
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += CHUNK) {
      const page: FailedJobsPage = await this.#failed.list(failuresOf(workerClass), next, CHUNK);
      own.push(...(await this.#only(page.jobs, tenant)));
      const last = own[limit - 1];
      if (last !== undefined && (own.length > limit || page.next !== null))
        return { jobs: own.slice(0, limit), next: cursorAfter(last) };
      next = page.next;
      if (next === null) break;
    }
    return { jobs: own, next };
  }

  /** The jobs that are of turns of a tenant. Of a turn that is forgotten nobody knows whose it was. */
  async #only(jobs: readonly FailedJob[], tenant: string | undefined): Promise<readonly FailedJob[]> {
    if (tenant === undefined) return jobs;
    const owners = await this.#store.tenantsOf(jobs.map(({ jobId }) => turnOfJob(jobId)));
    return jobs.filter((_job, index) => owners[index] === tenant);
  }

  /** @throws SkillyardError JOB_NOT_FOUND */
  async inspect(jobId: JobId): Promise<InspectedJob> {
    const [job, stored] = await Promise.all([this.#failed.get(jobId), this.#store.read(turnOfJob(jobId))]);
    if (stored === null) {
      if (job === null) throw unknownJob(jobId);
      const reason = 'its turn is forgotten';
      return { job, jobId, turnStatus: null, notRedrivable: reason, notResolvable: reason };
    }
    if (job === null && !stored.fatal.some((one) => one.jobId === jobId)) throw unknownJob(jobId);
    const [notRedrivable, notResolvable] = await Promise.all([
      whyNotReopenable(this.#connection, jobId, { how: 'redrive' }),
      whyNotReopenable(this.#connection, jobId, { how: 'rerun' }),
    ]);
    return { job, jobId, turnStatus: stored.view.status, notRedrivable, notResolvable };
  }

  /**
   * Runs a failed job again, and lets its turn go on with what it gives.
   * @param by who asks for it, for the trace
   * @returns the turns that run again
   * @throws SkillyardError REOPEN_REFUSED, TURN_NOT_FOUND
   */
  redrive(jobId: JobId, by: string): Promise<TurnId[]> {
    return this.#reopen(jobId, { how: 'redrive' }, by);
  }

  /**
   * Decides about a failed job: it gave this text, or it is to be run again whatever that repeats.
   * @see Operator.redrive
   */
  resolve(jobId: JobId, remedy: Exclude<Remedy, { how: 'redrive' }>, by: string): Promise<TurnId[]> {
    return this.#reopen(jobId, remedy, by);
  }

  /**
   * Redrives every failed job of a class that can be.
   * @param only of whose turns; all when absent
   */
  async redriveClass(
    workerClass: string,
    by: string,
    only: { readonly tenant?: string } = {},
  ): Promise<RedriveReport> {
    const redriven: JobId[] = [];
    const refused: { jobId: JobId; reason: string }[] = [];
    // Every page is read before anything of it changes: what is redriven leaves the list.
    for (let cursor: string | null = null; ;) {
      const page: FailedJobsPage = await this.#failed.list(failuresOf(workerClass), cursor);
      for (const { jobId } of await this.#only(page.jobs, only.tenant)) {
        try {
          await this.redrive(jobId, by);
          redriven.push(jobId);
        } catch (error) {
          if (!SkillyardError.is(error) || error.kind !== 'caller') throw error;
          refused.push({ jobId, reason: error.message });
        }
      }
      cursor = page.next;
      if (cursor === null) return { redriven, refused };
    }
  }

  async #reopen(jobId: JobId, remedy: Remedy, by: string): Promise<TurnId[]> {
    const turnIds = await reopenTurn(this.#connection, { jobId, remedy, by });
    await this.#failed.remove(jobId);
    if (remedy.how === 'value') await noteAnswer(this.#connection, jobId, remedy.text, Date.now());
    return turnIds;
  }
}

function unknownJob(jobId: JobId): SkillyardError {
  const message = `There is no failed job "${jobId}", or no longer. \`skillyard failed\` lists them.`;
  return new SkillyardError('JOB_NOT_FOUND', message, { details: { jobId } });
}
