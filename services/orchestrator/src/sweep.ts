/**
 * Goes through the live turns of the shards that are ours: all of them when a shard is gained, some of them now and then
 * after that. What a turn waits for is asked for again; what is under way is left as it is.
 *
 * W1 A turn of a gained shard is looked at before anything is expected of it: whatever its last owner left undone after
 *    a commit is done now (Q2).
 * W2 Every live turn is looked at again some time. This is for what no crash of ours explains: a ticket that somebody
 *    deleted, a queue that was emptied. A pass is bounded, so that ten thousand turns that wait for people cost little.
 */
import type { TurnId } from '@skillyard/contracts';
import { insist, type TurnStore } from '@skillyard/queue';
import type { Logger } from './logger.ts';

export interface SweepParts {
  readonly store: TurnStore;
  readonly owns: (shard: number) => boolean;
  /** Has the results of a shard read that were given to somebody who is gone. */
  readonly lookForStrays: (shard: number) => void;
  /** Sees to it that a turn goes on, `wholly` or as far as a crash of its owner explains; false if there is no such turn. */
  readonly resume: (turnId: TurnId, wholly: boolean) => Promise<boolean>;
  /** Between two passes over a shard, on average. Default 30 s. */
  readonly everyMs?: number | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/** Turns read together; about as many are looked at in one pass. */
const COUNT = 128;
/** Turns looked at together. */
const WIDTH = 16;
const EVERY_MS = 30_000;
/** A turn is in the live set before anything else is known of it; one of this age that is still unknown never came. */
const UNKNOWN_AFTER_MS = 60_000;
/** Where a scan begins and ends. */
const ORIGIN = '0';

/** A shard that is swept. A new one for each time that it is gained. */
interface Swept {
  readonly shard: number;
  cursor: string;
  timer: NodeJS.Timeout | undefined;
}

export class Sweeper {
  readonly #parts: SweepParts;
  readonly #shards = new Map<number, Swept>();

  constructor(parts: SweepParts) {
    this.#parts = parts;
  }

  /** Sweeps a shard that was gained: wholly now (W1), and a part of it now and then (W2). */
  add(shard: number): void {
    const swept: Swept = { shard, cursor: ORIGIN, timer: undefined };
    this.#shards.set(shard, swept);
    void this.#sweepAll(swept);
  }

  remove(shard: number): void {
    clearTimeout(this.#shards.get(shard)?.timer);
    this.#shards.delete(shard);
  }

  close(): void {
    for (const shard of this.#shards.keys()) this.remove(shard);
  }

  async #sweepAll(swept: Swept): Promise<void> {
    const { log } = this.#parts;
    let seen = 0;
    do {
      seen += await insist(
        async () => (this.#isOurs(swept) ? this.#pass(swept, false) : 0),
        (error) => log.warn({ shard: swept.shard, reason: error.message }, 'a sweep failed; trying again'),
      );
    } while (swept.cursor !== ORIGIN && this.#isOurs(swept));
    if (seen > 0) log.info({ shard: swept.shard, turns: seen }, 'going on with turns under way');
    this.#later(swept);
  }

  /** Nobody's passes come at the same moment as somebody else's. */
  #later(swept: Swept): void {
    if (!this.#isOurs(swept)) return;
    const { everyMs = EVERY_MS, lookForStrays, log } = this.#parts;
    swept.timer = setTimeout(
      () => {
        lookForStrays(swept.shard);
        void this.#pass(swept, true)
          .catch((error: unknown) =>
            log.warn({ shard: swept.shard, reason: String(error) }, 'a sweep failed'),
          )
          .finally(() => this.#later(swept));
      },
      everyMs * (0.75 + Math.random() / 2),
    );
  }

  #isOurs(swept: Swept): boolean {
    return this.#shards.get(swept.shard) === swept && this.#parts.owns(swept.shard);
  }

  /** @returns how many turns were seen */
  async #pass(swept: Swept, wholly: boolean): Promise<number> {
    const { store, resume, now } = this.#parts;
    const { cursor, turns } = await store.scanLive(swept.shard, swept.cursor, COUNT);
    for (let from = 0; from < turns.length && this.#isOurs(swept); from += WIDTH) {
      const some = turns.slice(from, from + WIDTH);
      const known = await Promise.all(some.map(({ turnId }) => resume(turnId, wholly)));
      const unknown = some.filter(
        (turn, index) => known[index] === false && now() - turn.submittedAtMs > UNKNOWN_AFTER_MS,
      );
      if (unknown.length > 0) await store.forgetUnknown(unknown.map(({ turnId }) => turnId));
    }
    swept.cursor = cursor;
    return turns.length;
  }
}
