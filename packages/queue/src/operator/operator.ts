import { type JobId, SkillyardError, type TurnId, turnOfJob } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import type { TurnState } from '../turns/turn-status.ts';
import { TurnStore } from '../turns/turn-store.ts';
import { type FailedJob, FailedJobs, failuresOf, type FailedJobsPage } from './failed-jobs.ts';
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
  async listFailed(
    options: { readonly workerClass?: string; readonly cursor?: string; readonly limit?: number } = {},
  ): Promise<FailedJobsPage> {
    const { workerClass, cursor, limit } = options;
    if (workerClass === undefined) return { jobs: await this.#failed.listAll(limit), next: null };
    return this.#failed.list(failuresOf(workerClass), cursor, limit);
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

  /** Redrives every failed job of a class that can be. */
  async redriveClass(workerClass: string, by: string): Promise<RedriveReport> {
    const redriven: JobId[] = [];
    const refused: { jobId: JobId; reason: string }[] = [];
    // Every page is read before anything of it changes: what is redriven leaves the list.
    for (let cursor: string | null = null; ;) {
      const page: FailedJobsPage = await this.#failed.list(failuresOf(workerClass), cursor);
      for (const { jobId } of page.jobs) {
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
    return turnIds;
  }
}

function unknownJob(jobId: JobId): SkillyardError {
  const message = `There is no failed job "${jobId}", or no longer. \`skillyard failed\` lists them.`;
  return new SkillyardError('JOB_NOT_FOUND', message, { details: { jobId } });
}
