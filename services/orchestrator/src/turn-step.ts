import type { JobId, StepJob, StepResult, TraceEvent, TurnId, TurnOutcome } from '@skillyard/contracts';
import { type Advance, applyResult, cancelTurn, expireTurn } from '@skillyard/engine';
import {
  type EndingResult,
  type FailedJob,
  failedJob,
  type JobEnvelope,
  type TurnChanges,
  type TurnMessage,
} from '@skillyard/queue';
import { type LiveTurn, type PendingJob, pendingJob } from './live-turn.ts';

/** Decides where a job of a turn goes: what the outbox holds of it. */
export type Route = (job: StepJob, turn: Pick<LiveTurn, 'turn' | 'origin'>) => JobEnvelope;

/**
 * What a batch of messages did to one turn: what has to be committed, and what to do after that.
 * Pure bookkeeping between the machine and the store.
 */
export class TurnStep {
  readonly live: LiveTurn;
  readonly #route: Route;
  readonly #asked = new Map<JobId, JobEnvelope>();
  readonly #settled = new Set<JobId>();
  readonly #dropped: PendingJob[] = [];
  readonly #events: TraceEvent[] = [];
  readonly #failed: FailedJob[] = [];
  /** Results that a turn which is taken back to before this batch has to get again, in the order they came. */
  readonly #results: StepResult[] = [];
  /** Those of them that end the turn, now or when what runs beside has ended. */
  readonly #fatal: EndingResult[] = [];
  #isEndedByResult = false;
  #outcome: TurnOutcome | null = null;
  /** Questions to people that were asked, less those that were settled. */
  #waiting = 0;
  /** Questions that nobody has to answer any more. */
  readonly #closed: JobId[] = [];
  /** Whether some message changed nothing: it was applied before, or nobody waits for it. */
  sawRepeat = false;

  constructor(live: LiveTurn, route: Route) {
    this.live = live;
    this.#route = route;
  }

  /** Hands a message to the machine. */
  apply(message: TurnMessage, nowMs: number): void {
    const { turn } = this.live;
    switch (message.type) {
      case 'start':
        this.sawRepeat = true;
        return;
      case 'cancel':
        this.take(cancelTurn(turn, message.reason, nowMs));
        return;
      case 'expire':
        this.take(expireTurn(turn, nowMs));
        return;
      case 'result':
        this.#applyResult(message.result, nowMs);
        return;
    }
  }

  #applyResult(result: StepResult, nowMs: number): void {
    const { turn, pending } = this.live;
    const { jobId } = result;
    const job = pending.get(jobId);
    if (job === undefined) {
      const wasDropped = this.#dropped.some(({ id }) => id === jobId);
      // A turn that is taken back to before the job was dropped wants its result.
      if (wasDropped || turn.header.doomed === true) this.#results.push(result);
      if (!wasDropped) this.sawRepeat = true;
      return;
    }
    pending.delete(jobId);
    this.#closeQuestion(job);
    // A job that was asked for in this same batch never has to be stored.
    if (!this.#asked.delete(jobId)) this.#settled.add(jobId);
    if (FAILURES.has(result.status)) this.#failed.push(failedJob(job, result, nowMs));
    const wasDoomed = turn.header.doomed === true;
    const advance = applyResult(turn, result, nowMs);
    this.take(advance);
    this.#results.push(result);
    const ends = advance.outcome !== undefined;
    if (ends) this.#isEndedByResult = true;
    if (advance.fatal === true || (ends && !wasDoomed)) this.#fatal.push(endingResult(job, result));
  }

  take(advance: Advance): void {
    const { pending } = this.live;
    for (const job of advance.jobs) {
      const envelope = this.#route(job, this.live);
      this.#asked.set(job.id, envelope);
      pending.set(job.id, pendingJob(envelope));
      if (job.kind === 'ask') this.#waiting += 1;
    }
    for (const id of advance.dropped) {
      const job = pending.get(id);
      pending.delete(id);
      if (job !== undefined) this.#closeQuestion(job);
      if (this.#asked.delete(id) || job === undefined) continue;
      this.#settled.add(id);
      this.#dropped.push(job);
    }
    for (const event of advance.events) this.#events.push(event);
    if (advance.outcome !== undefined) this.#outcome = advance.outcome;
  }

  #closeQuestion({ id, kind }: PendingJob): void {
    if (kind !== 'ask') return;
    this.#waiting -= 1;
    this.#closed.push(id);
  }

  /** What to commit; null when nothing happened. Takes the machine's changes: call it once. */
  changes(): TurnChanges | null {
    const { turn, version } = this.live;
    const { written, removed } = turn.takeChanges();
    const end = this.#reopenableEnd();
    const isKept = end !== undefined && end.results.length > 0;
    const isChanged = written.length > 0 || removed.length > 0 || this.#settled.size > 0;
    if (!isChanged && !isKept && this.#outcome === null) return null;
    return {
      turnId: turn.id,
      version,
      written,
      removed,
      events: this.#events,
      asked: [...this.#asked.values()],
      settled: [...this.#settled],
      waiting: this.#waiting,
      outcome: this.#outcome,
      end,
    };
  }

  /** A turn that fails by results of jobs, now or later, can be taken back to before them. */
  #reopenableEnd(): TurnChanges['end'] {
    if (this.#outcome === null) {
      if (this.live.turn.header.doomed !== true) return undefined;
    } else {
      const { status } = this.#outcome;
      if (!this.#isEndedByResult || (status !== 'failed' && status !== 'denied')) return undefined;
    }
    return { fatal: this.#fatal, results: this.#results };
  }

  /** Jobs whose results were failures, whatever the flow made of them. */
  get failed(): readonly FailedJob[] {
    return this.#failed;
  }

  get turnId(): TurnId {
    return this.live.turn.id;
  }

  /** Jobs to be done now. */
  get asked(): JobEnvelope[] {
    return [...this.#asked.values()];
  }

  /** Jobs under way whose results no longer matter. */
  get dropped(): readonly PendingJob[] {
    return this.#dropped;
  }

  /** Questions to people that are not open any more. */
  get closed(): readonly JobId[] {
    return this.#closed;
  }

  get outcome(): TurnOutcome | null {
    return this.#outcome;
  }

  /** What happened to the turn, in this order. */
  get events(): readonly TraceEvent[] {
    return this.#events;
  }
}

const FAILURES: ReadonlySet<StepResult['status']> = new Set(['error', 'lost', 'denied']);

function endingResult({ id, kind, effect }: PendingJob, result: StepResult): EndingResult {
  const { status, error, sent } = result;
  return { jobId: id, kind, status, error: error ?? null, mayRepeat: effect === 'once' && sent !== false };
}
