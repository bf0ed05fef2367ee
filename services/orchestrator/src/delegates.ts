import {
  type DelegateJob,
  type JobId,
  NO_ORIGIN,
  SkillyardError,
  type StepResult,
  type TurnId,
  type TurnOrigin,
  type TurnOutcome,
} from '@skillyard/contracts';
import { delegateResult, MAX_DELEGATIONS } from '@skillyard/engine';
import {
  childTurnId,
  hasEnded,
  type HistoryWriter,
  type Lineage,
  type OnTransition,
  postCancel,
  postResult,
  type QueueConnection,
  submitTurn,
  type Timers,
  type TurnStore,
} from '@skillyard/queue';

/** Finds the text of a skill by its name. */
export interface SkillSource {
  /**
   * @param tenant whose turn delegates
   * @throws SkillyardError SKILL_NOT_FOUND, SKILL_INVALID or FILE_UNREADABLE
   */
  find(tenant: string, name: string): Promise<{ readonly file: string; readonly text: string }>;
}

/**
 * Delegated turns. A child turn has an id that follows from the job it answers, so that starting it twice is the same
 * as once, and is an ordinary turn otherwise: it may run on another orchestrator.
 */
export class Delegates {
  readonly #connection: QueueConnection;
  readonly #store: TurnStore;
  readonly #timers: Timers;
  readonly #skills: SkillSource;
  readonly #history: HistoryWriter | undefined;
  readonly #now: () => number;
  readonly #onTransition: OnTransition | undefined;

  constructor(parts: {
    connection: QueueConnection;
    store: TurnStore;
    timers: Timers;
    skills: SkillSource;
    history?: HistoryWriter | undefined;
    now: () => number;
    onTransition?: OnTransition | undefined;
  }) {
    this.#connection = parts.connection;
    this.#store = parts.store;
    this.#timers = parts.timers;
    this.#skills = parts.skills;
    this.#history = parts.history;
    this.#now = parts.now;
    this.#onTransition = parts.onTransition;
  }

  /**
   * Starts the child turn of a job, or posts the job's result when the child has ended or cannot be.
   * @param traceparent the span of the delegate step, when the turn is traced
   */
  async start(job: DelegateJob, parent: Lineage, traceparent?: string): Promise<void> {
    try {
      const child = await this.#store.read(childTurnId(job.id));
      if (child === null) await this.#submit(job, parent, traceparent);
      else if (child.lineage.parent !== job.id) throw taken(child.view.turnId);
      else if (hasEnded(child.view.status)) await this.#post(job, delegateResult(job, child.view.outcome));
    } catch (error) {
      if (!SkillyardError.is(error) || error.kind === 'retryable') throw error;
      await this.#post(job, failedResult(job.id, error.code, error.message));
    }
  }

  async #submit(job: DelegateJob, parent: Lineage, traceparent: string | undefined): Promise<void> {
    const depth = parent.depth + 1;
    if (depth > MAX_DELEGATIONS) {
      const message = `"${job.skill}" would be delegation ${depth} in a row; ${MAX_DELEGATIONS} are let through. Do the skills delegate to each other?`;
      throw new SkillyardError('DELEGATE_FAILED', message, { details: { skill: job.skill } });
    }
    const [settings, delegating] = await Promise.all([
      this.#store.settings(job.turnId),
      this.#store.read(job.turnId),
    ]);
    // Forgotten: nobody waits for the child, or knows any more what it may reach.
    if (delegating === null) return;
    const origin = originOfDelegate(delegating.view.origin, traceparent);
    const { file, text } = await this.#skills.find(origin.tenant, job.skill);
    const request = {
      turnId: childTurnId(job.id),
      skillText: text,
      file,
      vars: { [TASK_VARIABLE]: job.task },
      ...(settings !== null && { settings }),
      lineage: { parent: job.id, depth, root: parent.root },
      skillName: job.skill,
      origin,
    };
    await this.#onTransition?.('submit.before');
    await submitTurn(this.#connection, request, this.#now());
    await this.#onTransition?.('submit.after');
    if (job.timeoutMs !== undefined) await this.#timers.setTimeout(job.id, job.timeoutMs);
  }

  /** Posts the result of a delegation to the turn that waits for it, if it still does. */
  async end(parentJob: JobId, outcome: TurnOutcome | null): Promise<void> {
    const waiting = await this.#store.pendingJob(parentJob);
    if (waiting?.job.kind === 'delegate') await this.#post(waiting.job, delegateResult(waiting.job, outcome));
  }

  async #post(job: DelegateJob, result: StepResult): Promise<void> {
    this.#history?.keep(job, result, { endedAtMs: this.#now(), attempts: null });
    await postResult(this.#connection, result);
  }

  /** Cancels the child turns of jobs whose results no longer matter. */
  async cancel(jobIds: readonly JobId[], message: string): Promise<void> {
    const reason = { code: 'TURN_CANCELLED', message };
    await Promise.all(jobIds.map((id) => postCancel(this.#connection, childTurnId(id), reason)));
  }
}

/** A delegated turn is its parent's, and nobody outside is told of its end. */
function originOfDelegate(origin: TurnOrigin, traceparent: string | undefined): TurnOrigin {
  const { webhook: _webhook, deadlineMs: _deadlineMs, ...shared } = origin;
  if (traceparent !== undefined) return { ...shared, traceparent };
  return origin === NO_ORIGIN ? origin : shared;
}

/** The variable in which a delegated skill finds what it is asked to do. */
const TASK_VARIABLE = 'input';

function failedResult(jobId: JobId, code: string, message: string): StepResult {
  return { jobId, status: 'error', text: '', error: { code, message } };
}

function taken(id: TurnId): SkillyardError {
  const message = `the id of the delegated turn, "${id}", belongs to a turn that was submitted under this id`;
  return new SkillyardError('DELEGATE_FAILED', message, { details: { turnId: id } });
}
