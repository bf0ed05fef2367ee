import type { TurnId } from '@skillyard/contracts';
import type { TurnStore } from '@skillyard/queue';

export interface SweepParts {
  readonly store: TurnStore;
  readonly shards: number;
  /** Sees to it that a turn goes on; false if there is no such turn. */
  readonly resume: (turnId: TurnId) => Promise<boolean>;
  readonly now: () => number;
}

/** Turns looked at together. */
const WIDTH = 32;
/** A turn is in the live set before anything else is known of it; one of this age that is still unknown never came. */
const UNKNOWN_AFTER_MS = 60_000;

/**
 * Goes through every turn that has not ended and asks again for what it waits for. What is under way is left as it is.
 * @returns how many turns were seen
 */
export async function sweepLiveTurns({ store, shards, resume, now }: SweepParts): Promise<number> {
  let seen = 0;
  for (let shard = 0; shard < shards; shard++) {
    const live = await store.liveTurns(shard);
    for (let from = 0; from < live.length; from += WIDTH) {
      const some = live.slice(from, from + WIDTH);
      const known = await Promise.all(some.map(({ turnId }) => resume(turnId)));
      const unknown = some.filter(
        (turn, index) => known[index] === false && now() - turn.submittedAtMs > UNKNOWN_AFTER_MS,
      );
      if (unknown.length > 0) await store.forgetLive(unknown.map(({ turnId }) => turnId));
      seen += some.length;
    }
  }
  return seen;
}
