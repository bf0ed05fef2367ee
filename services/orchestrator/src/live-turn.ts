import type { ToolEffect, TurnId, TurnOrigin, JobId } from '@skillyard/contracts';
import type { Turn } from '@skillyard/engine';
import { type FailingJob, type JobEnvelope, type Lineage, targetOf } from '@skillyard/queue';

/** What is remembered of a job that a turn waits for. Its content is in the outbox. */
export interface PendingJob extends FailingJob {
  readonly effect: ToolEffect;
}

/** A turn that has not ended, as the orchestrator holds it between two events. */
export interface LiveTurn {
  readonly turn: Turn;
  readonly lineage: Lineage;
  readonly origin: TurnOrigin;
  /** The version in Redis that `turn` is equal to. */
  version: number;
  readonly pending: Map<JobId, PendingJob>;
}

export function pendingJob({ job, queue, effect }: JobEnvelope): PendingJob {
  const { id, kind, path, step } = job;
  return { id, kind, queue, path, step, target: targetOf(job), effect };
}

/**
 * Live turns in memory, so that the usual step reads nothing. A turn that is not here is read from Redis; one that was
 * changed by somebody else is found out at the commit. The turns used longest ago make room.
 */
export class TurnCache {
  readonly #turns = new Map<TurnId, LiveTurn>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(id: TurnId): LiveTurn | undefined {
    const live = this.#turns.get(id);
    if (live !== undefined) this.put(live);
    return live;
  }

  put(live: LiveTurn): void {
    this.#turns.delete(live.turn.id);
    this.#turns.set(live.turn.id, live);
    if (this.#turns.size <= this.#limit) return;
    const oldest = this.#turns.keys().next();
    if (oldest.done !== true) this.#turns.delete(oldest.value);
  }

  /** Drops the turns of which this is true. */
  dropIf(condition: (id: TurnId) => boolean): void {
    for (const id of this.#turns.keys()) if (condition(id)) this.#turns.delete(id);
  }

  drop(id: TurnId): void {
    this.#turns.delete(id);
  }
}
