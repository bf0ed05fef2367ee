import type { TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { NOTE_ENDS } from '../scripts/index-script.ts';
import { hasEnded, type TurnState } from './turn-status.ts';

/** Turns that are forgotten with those that end: many more than end in a moment, so that a heap of them melts. */
const FORGOTTEN_TOGETHER = 1000;

/** A turn whose end has been made known. */
export interface EndedTurn {
  readonly turnId: TurnId;
  /** In whose list it stands; null for one that another turn delegated to. */
  readonly tenant: string | null;
  readonly endedAtMs: number;
}

/** For how long ends are gathered. */
const GATHER_MS = 50;
/** After a failure, until they are written again: a Redis that refuses writes is not asked at once. */
const RETRY_MS = 2000;

/**
 * Writes down that turns have ended: in the list of their tenant (X2), and then in the live set of their shard (Q8).
 *
 * Nobody waits for it. Ends are gathered for a moment and written together, because one by one they cost short turns a
 * tenth of their throughput (measured 1 Dec 2026). What a crash takes with it is found by the sweep: a turn whose end is
 * in no list is still in the live set, and its end is made known once more.
 *
 * A turn may be reopened in that moment, and must not be taken for ended then: a turn that runs and is not live would be
 * lost with its owner. So ends are looked at once more before they are written, and whoever goes on with a reopened
 * turn flushes before it is put back.
 */
export class TurnEnds {
  readonly #connection: QueueConnection;
  readonly #keptMs: number;
  readonly #onError: (error: unknown) => void;
  #gathered: EndedTurn[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Ends when everything that was taken to be written is. */
  #writing: Promise<void> = Promise.resolve();

  /**
   * @param keptMs how long an ended turn stays in the list
   * @param onError told why ends could not be written, which is tried again
   */
  constructor(connection: QueueConnection, keptMs: number, onError: (error: unknown) => void) {
    this.#connection = connection;
    this.#keptMs = keptMs;
    this.#onError = onError;
  }

  /** May be repeated. */
  note(turn: EndedTurn): void {
    this.#gathered.push(turn);
    this.#writeIn(GATHER_MS);
  }

  #writeIn(delayMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.flush().catch(this.#onError), delayMs);
    // What is left at the end of a process is found by the sweep of the next one.
    this.#timer.unref();
  }

  /** Writes what is gathered now, behind what is being written. What could not be written is tried again later. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const written = this.#writing.then(() => this.#write());
    // Whoever asked for it learns of a failure; the next writing does not fail with it.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #write(): Promise<void> {
    const bunch = this.#gathered;
    this.#gathered = [];
    if (bunch.length === 0) return;
    try {
      const over = await this.#stillOver(bunch);
      // In this order: a turn that is live no longer would not be found by the sweep.
      await this.#noteInLists(over);
      await this.#forgetLive(over);
    } catch (error) {
      this.#gathered.unshift(...bunch);
      this.#writeIn(RETRY_MS);
      throw error;
    }
  }

  /** Those that have not been reopened since. One that is gone is the sweep's to forget: its id may be a new turn's. */
  async #stillOver(bunch: readonly EndedTurn[]): Promise<EndedTurn[]> {
    const { redis, keys } = this.#connection;
    const states = await Promise.all(bunch.map(({ turnId }) => redis.hget(keys.turn(turnId).meta, 'status')));
    return bunch.filter((_turn, index) => {
      const state = states[index] as TurnState | null | undefined;
      return state != null && hasEnded(state);
    });
  }

  async #noteInLists(bunch: readonly EndedTurn[]): Promise<void> {
    const { redis, keys } = this.#connection;
    const calls = [...groupBy(bunch, ({ tenant }) => tenant)].flatMap(([tenant, group]) => {
      if (tenant === null) return [];
      const { turns, ended } = keys.turnsOf(tenant);
      const keptSinceMs = Math.max(...group.map(({ endedAtMs }) => endedAtMs)) - this.#keptMs;
      const ends = group.flatMap(({ turnId, endedAtMs }) => [turnId, endedAtMs]);
      return [{ keys: [turns, ended], args: [keptSinceMs, FORGOTTEN_TOGETHER, this.#keptMs, ...ends] }];
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
