import type { JobId, StepJob, StepResult, TraceEvent, TurnId, TurnOutcome } from '@skillyard/contracts';
import { type Advance, applyResult, cancelTurn, expireTurn, type TurnSettings } from '@skillyard/engine';
import {
  type EndingResult,
  type FailedJob,
  failedJob,
  type JobEnvelope,
  type TurnChanges,
  type TurnMessage,
} from '@skillyard/queue';
import { type LiveTurn, type PendingJob, pendingJob } from './live-turn.ts';

/** Decides where a job goes: what the outbox holds of it. */
export type Route = (job: StepJob, settings: TurnSettings) => JobEnvelope;

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
  /** Results that a turn which is taken back to before this batch has to get again. */
  readonly #results: StepResult[] = [];
  #endedBy: EndingResult | null = null;
  #outcome: TurnOutcome | null = null;
  /** Whether some message changed nothing: a result applied before, or one that nobody waits for. */
  sawRepeat = false;

  constructor(live: LiveTurn, route: Route) {
    this.live = live;
    this.#route = route;
  }

  /** Hands a message to the machine. */
  apply(message: TurnMessage, nowMs: number): void {
    const { turn } = this.live;
    switch (message.type) {
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
      if (this.#dropped.some(({ id }) => id === jobId)) this.#results.push(result);
      else this.sawRepeat = true;
      return;
    }
    pending.delete(jobId);
    // A job that was asked for in this same batch never has to be stored.
    const isStored = !this.#asked.delete(jobId);
    if (isStored) this.#settled.add(jobId);
    if (FAILURES.has(result.status)) this.#failed.push(failedJob(job, result, nowMs));
    this.take(applyResult(turn, result, nowMs));
    if (this.#outcome === null) this.#results.push(result);
    else if (isStored) this.#endedBy = endingResult(job, result);
  }

  take(advance: Advance): void {
    const { pending } = this.live;
    for (const job of advance.jobs) {
      const envelope = this.#route(job, this.live.turn.header.settings);
      this.#asked.set(job.id, envelope);
      pending.set(job.id, pendingJob(envelope));
    }
    for (const id of advance.dropped) {
      const job = pending.get(id);
      pending.delete(id);
      if (this.#asked.delete(id) || job === undefined) continue;
      this.#settled.add(id);
      this.#dropped.push(job);
    }
    for (const event of advance.events) this.#events.push(event);
    if (advance.outcome !== undefined) this.#outcome = advance.outcome;
  }

  /** What to commit; null when nothing happened. Takes the machine's changes: call it once. */
  changes(): TurnChanges | null {
    const { turn, version } = this.live;
    const { written, removed } = turn.takeChanges();
    if (written.length === 0 && removed.length === 0 && this.#settled.size === 0 && this.#outcome === null)
      return null;
    return {
      turnId: turn.id,
      version,
      written,
      removed,
      events: this.#events,
      asked: [...this.#asked.values()],
      settled: [...this.#settled],
      outcome: this.#outcome,
      end: this.#reopenableEnd(),
    };
  }

  /** A turn that failed by the result of a job can be taken back to before it. */
  #reopenableEnd(): TurnChanges['end'] {
    const status = this.#outcome?.status;
    if (this.#endedBy === null || (status !== 'failed' && status !== 'denied')) return undefined;
    const results = this.#results.filter(({ jobId }) => this.#settled.has(jobId));
    return { by: this.#endedBy, results };
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

  get outcome(): TurnOutcome | null {
    return this.#outcome;
  }
}

const FAILURES: ReadonlySet<StepResult['status']> = new Set(['error', 'lost', 'denied']);

function endingResult({ id, effect }: PendingJob, { status, error, sent }: StepResult): EndingResult {
  return { jobId: id, status, error: error ?? null, mayRepeat: effect === 'once' && sent !== false };
}
