import { DEFAULT_TENANT, type JobId, SkillyardError, type TurnId } from '@skillyard/contracts';
import {
  enterQuestion,
  type JobEnvelope,
  leaveQuestions,
  type Lineage,
  publishAborts,
  type QueueConnection,
  type StepQueues,
  type TicketRequest,
  type Timers,
} from '@skillyard/queue';
import type { Delegates } from './delegates.ts';
import type { Windows } from './fairness/windows.ts';
import type { InlineJobs } from './inline-jobs.ts';
import type { PendingJob } from './live-turn.ts';

export interface DispatcherParts {
  readonly connection: QueueConnection;
  readonly queues: StepQueues;
  readonly windows: Windows;
  readonly timers: Timers;
  readonly inline: InlineJobs;
  readonly delegates: Delegates;
  /** Kinds of job that this process answers itself. */
  readonly inlineKinds: ReadonlySet<JobEnvelope['job']['kind']>;
  readonly now: () => number;
}

/**
 * Gets jobs done that are in an outbox, and withdraws those that are no longer wanted.
 * Everything here may be done twice: it is repeated after a crash, for every job that is still pending.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** @param lineageOf of the turn a job belongs to */
  async dispatch(envelopes: readonly JobEnvelope[], lineageOf: (turn: TurnId) => Lineage): Promise<void> {
    await Promise.all([this.enqueue(envelopes), this.startOthers(envelopes, lineageOf)]);
  }

  /**
   * Puts the jobs of workers into their queues, as far as their windows let them through, and what was held of others.
   * It may be done before their commit is known to have succeeded: a ticket whose job is in no outbox is thrown away by
   * whoever takes it (Q5).
   */
  async enqueue(envelopes: readonly JobEnvelope[]): Promise<void> {
    const { queues, windows } = this.#parts;
    await this.#put(windows.ask(queues.requests(envelopes)));
  }

  /** Puts held jobs into their queues for which there is room now. */
  async release(): Promise<void> {
    await this.#put(this.#parts.windows.release());
  }

  async #put(requests: readonly TicketRequest[]): Promise<void> {
    if (requests.length === 0) return;
    const { queues, windows } = this.#parts;
    try {
      await queues.add(requests);
    } catch (error) {
      // Those of other turns would be asked for again by nobody before the next sweep.
      windows.putBack(requests);
      throw error;
    }
  }

  /** Starts the jobs that no worker does. */
  async startOthers(envelopes: readonly JobEnvelope[], lineageOf: (turn: TurnId) => Lineage): Promise<void> {
    const others = envelopes.filter(({ queue }) => queue === null);
    await Promise.all(others.map((envelope) => this.#start(envelope, lineageOf)));
  }

  async #start(envelope: JobEnvelope, lineageOf: (turn: TurnId) => Lineage): Promise<void> {
    const { job, refused, traceparent } = envelope;
    const { connection, inline, inlineKinds, delegates, timers, now } = this.#parts;
    if (refused !== undefined) {
      inline.refuse(job, new SkillyardError('STEP_DENIED', refused));
    } else if (inlineKinds.has(job.kind)) {
      inline.start(envelope);
    } else if (job.kind === 'delegate') {
      await delegates.start(job, lineageOf(job.turnId), traceparent);
    } else if (job.kind === 'ask') {
      // Answered by a person, who finds it in the list.
      await enterQuestion(connection, envelope.tenant ?? DEFAULT_TENANT, job.id, now());
      if (job.timeoutMs !== undefined) await timers.setTimeout(job.id, job.timeoutMs);
    } else {
      inline.refuse(job, nobodyFor(job));
    }
  }

  /** Takes questions of a tenant from the list of those that are open. */
  async closeQuestions(jobIds: readonly JobId[], tenant: string): Promise<void> {
    await leaveQuestions(this.#parts.connection, tenant, jobIds);
  }

  /** Stops work whose results no longer matter. What cannot be stopped is ignored when it comes. */
  async withdraw(dropped: readonly PendingJob[]): Promise<void> {
    if (dropped.length === 0) return;
    const { connection, queues, windows, inline, delegates } = this.#parts;
    const queued = dropped.filter(({ queue }) => queue !== null);
    inline.drop(idsOf(dropped));
    await Promise.all([
      queues.remove(queued),
      publishAborts(connection, idsOf(queued)),
      delegates.cancel(
        idsOf(dropped.filter(({ kind }) => kind === 'delegate')),
        'the turn that delegated to it went on without it',
      ),
    ]);
    windows.settle(idsOf(queued));
    await this.release();
  }
}

function idsOf(jobs: readonly PendingJob[]): JobId[] {
  return jobs.map(({ id }) => id);
}

/** A job that no worker would ever take. */
function nobodyFor(job: JobEnvelope['job']): SkillyardError {
  if (job.kind === 'call') {
    const message = `there is no tool server "${job.server}" in the configuration; add it under \`servers\`, or correct the name`;
    return new SkillyardError('SERVER_UNKNOWN', message, { details: { server: job.server } });
  }
  return new SkillyardError('EXECUTOR_MISSING', `nothing here does jobs of the kind "${job.kind}"`);
}
