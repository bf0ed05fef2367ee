import type { JobId, StepJob, TraceEvent, TurnId, TurnOutcome } from '@skillyard/contracts';
import { type Advance, applyResult, cancelTurn, expireTurn, type TurnSettings } from '@skillyard/engine';
import type { JobEnvelope, TurnChanges, TurnMessage } from '@skillyard/queue';
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
  #outcome: TurnOutcome | null = null;
  /** Whether some message changed nothing: a result applied before, or one that nobody waits for. */
  sawRepeat = false;

  constructor(live: LiveTurn, route: Route) {
    this.live = live;
    this.#route = route;
  }

  /** Hands a message to the machine. */
  apply(message: TurnMessage, nowMs: number): void {
    const { turn, pending } = this.live;
    switch (message.type) {
      case 'cancel':
        this.take(cancelTurn(turn, message.reason, nowMs));
        return;
      case 'expire':
        this.take(expireTurn(turn, nowMs));
        return;
      case 'result': {
        const { jobId } = message.result;
        if (!pending.delete(jobId)) {
          this.sawRepeat = true;
          return;
        }
        // A job that was asked for in this same batch never has to be stored.
        if (!this.#asked.delete(jobId)) this.#settled.add(jobId);
        this.take(applyResult(turn, message.result, nowMs));
        return;
      }
    }
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
    };
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
