import type { TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { NOTE_ENDS } from '../scripts/index-script.ts';

/** Turns that are forgotten with those that end: more than one, so that a heap of them melts. */
const FORGOTTEN_TOGETHER = 100;

/** A turn whose end has been made known. */
export interface EndedTurn {
  readonly turnId: TurnId;
  /** In whose list it stands; null for one that another turn delegated to. */
  readonly tenant: string | null;
  readonly endedAtMs: number;
}

/** For how long ends are gathered. */
const GATHER_MS = 50;

/**
 * Writes down that turns have ended: in the list of their tenant (X2), and then in the live set of their shard (Q8).
 *
 * Nobody waits for it. Ends are gathered for a moment and written together, because one by one they cost short turns a
 * tenth of their throughput (measured 1 Dec 2026). What a crash takes with it is found by the sweep: a turn whose end is
 * in no list is still in the live set, and its end is made known once more.
 */
export class TurnEnds {
  readonly #connection: QueueConnection;
  readonly #keptMs: number;
  #gathered: EndedTurn[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param keptMs how long an ended turn stays in the list */
  constructor(connection: QueueConnection, keptMs: number) {
    this.#connection = connection;
    this.#keptMs = keptMs;
  }

  /** May be repeated. */
  note(turn: EndedTurn): void {
    this.#gathered.push(turn);
    // A failure is no end of it: the turns are gathered once more.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), GATHER_MS);
  }

  /** Writes what is gathered now. What could not be written is tried again later. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const bunch = this.#gathered;
    this.#gathered = [];
    try {
      // Sent in this order over one connection.
      await Promise.all([this.#noteInLists(bunch), this.#forgetLive(bunch)]);
    } catch (error) {
      // The connection tells of its trouble itself.
      for (const turn of bunch) this.note(turn);
      throw error;
    }
  }

  async #noteInLists(bunch: readonly EndedTurn[]): Promise<void> {
    const { redis, keys } = this.#connection;
    const calls = [...groupBy(bunch, ({ tenant }) => tenant)].flatMap(([tenant, group]) => {
      if (tenant === null) return [];
      const { turns, ended } = keys.turnsOf(tenant);
      const keptSinceMs = Math.max(...group.map(({ endedAtMs }) => endedAtMs)) - this.#keptMs;
      const ends = group.flatMap(({ turnId, endedAtMs }) => [turnId, endedAtMs]);
      return [{ keys: [turns, ended], args: [keptSinceMs, FORGOTTEN_TOGETHER, ...ends] }];
    });
    await NOTE_ENDS.runMany(redis, calls);
  }

  async #forgetLive(bunch: readonly EndedTurn[]): Promise<void> {
    const { redis, keys } = this.#connection;
    const byShard = groupBy(bunch, ({ turnId }) => keys.shardOf(turnId));
    await Promise.all(
      [...byShard].map(([shard, group]) =>
        redis.zrem(keys.shard(shard).live, ...group.map(({ turnId }) => turnId)),
      ),
    );
  }
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
