/**
 * Which turns there are, as list-turn.ts keeps them. Each tenant has a list of its turns, and one of those that have ended, so that what is open is
 * the difference of two numbers.
 *
 * X1  A turn is entered before anything else is known of it, like in the live set (Q8). One that is still unknown after a
 *     minute never came, and is forgotten by the sweep, or by whoever lists it.
 * X2  What has ended is among the turns as well: the end of a turn that is not in the list is not noted.
 * X3  An end that was not noted is noted when the end is made known again: by the sweep over the live set.
 */
import type { TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { readCursor, textOfCursor } from './turn-cursor.ts';
import { asksForOpen, FILTER_FIELDS, isWanted, type TurnFilter } from './turn-filter.ts';
import { type ListedTurn, NewestTurns } from './newest-turns.ts';
import { storedTurn } from './stored-turn.ts';
import type { TurnView } from './turn-status.ts';

/** Which turns are wanted. */
export interface TurnListQuery extends TurnFilter {
  /** `all`: of every tenant that has had turns. */
  readonly tenants: 'all' | readonly string[];
  readonly submittedAfterMs?: number;
  readonly submittedBeforeMs?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Turns of a page; 50 when absent. */
  readonly limit?: number;
}

/** Turns, the one submitted last first. */
export interface TurnListPage {
  /** Without an outcome where that is large. */
  readonly turns: readonly TurnView[];
  /** Where to go on; null after the last one. A page may have fewer turns than asked for, and still a next. */
  readonly next: string | null;
}

const DEFAULT_LIMIT = 50;
/** Turns that are read together. */
const CHUNK = 200;
/** Turns that are looked at for one page: a search that finds little must not hold Redis up. */
const MOST_LOOKED_AT = 5000;
/** Turns that are passed over because of the list of those that have ended, for the price of one that is looked at. */
const PASSED_FOR_ONE = 10;
/** What is read of each turn: not what it was given and what it gave, which may be many megabytes. */
const LISTED_FIELDS = [
  'status',
  'submittedAtMs',
  'startedAtMs',
  'endedAtMs',
  'parent',
  'name',
  'file',
  'skill',
  'origin',
  'waiting',
] as const;
/** Bytes of an outcome that is read all the same, for the error in it. */
const MAX_OUTCOME = 64 * 1024;
/** A turn is entered before it is stored; one of this age that is still unknown never came (X1). */
const UNKNOWN_AFTER_MS = 60_000;

/** Lists turns, and counts those that are open. */
export class TurnIndex {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  /** Turns of a tenant that have not ended; without those that another turn delegated to. */
  async countOpen(tenant: string): Promise<number> {
    const { redis, keys } = this.#connection;
    const { turns, ended } = keys.turnsOf(tenant);
    const [all, over] = await Promise.all([redis.zcard(turns), redis.zcard(ended)]);
    return Math.max(0, all - over);
  }

  /**
   * Turns, newest first. Those that are submitted while somebody goes from page to page are not met twice.
   * @throws SkillyardError INPUT_INVALID if the cursor is none
   */
  async list(query: TurnListQuery, nowMs: number = Date.now()): Promise<TurnListPage> {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const source = new NewestTurns(this.#connection, {
      tenants: query.tenants === 'all' ? await this.#tenants() : query.tenants,
      after: query.cursor === undefined ? null : readCursor(query.cursor),
      fromMs: query.submittedAfterMs ?? null,
      toMs: query.submittedBeforeMs ?? null,
    });
    const found: ListedTurn[] = [];
    for (let looked = 0; looked < MOST_LOOKED_AT && found.length <= limit;) {
      const some = await source.take(CHUNK);
      const candidates = asksForOpen(query) ? await this.#open(some) : some;
      looked += candidates.length + (some.length - candidates.length) / PASSED_FOR_ONE;
      found.push(...(await this.#matching(candidates, query, nowMs)));
      if (some.length < CHUNK) return this.#page(found, limit, null);
    }
    return this.#page(found, limit, source.last);
  }

  async #tenants(): Promise<string[]> {
    return this.#connection.redis.smembers(this.#connection.keys.tenants);
  }

  /** @param last the turn that was looked at last; null when there are no others */
  async #page(found: readonly ListedTurn[], limit: number, last: ListedTurn | null): Promise<TurnListPage> {
    const shown = found.slice(0, limit);
    const end = found.length > limit ? (shown.at(-1) ?? null) : last;
    const views = await Promise.all(shown.map(({ turnId }) => this.#view(turnId)));
    const turns = views.filter((view) => view !== null);
    return { turns, next: end === null ? null : textOfCursor(end) };
  }

  /** What a list shows of a turn; null when it is forgotten. */
  async #view(turnId: TurnId): Promise<TurnView | null> {
    const { redis, keys } = this.#connection;
    const { meta } = keys.turn(turnId);
    const [values, bytes] = await Promise.all([
      redis.hmget(meta, ...LISTED_FIELDS),
      redis.hstrlen(meta, 'outcome'),
    ]);
    const fields: Record<string, string> = {};
    for (const [index, name] of LISTED_FIELDS.entries()) {
      const value = values[index];
      if (value != null) fields[name] = value;
    }
    if (fields['status'] === undefined) return null;
    const outcome = bytes > 0 && bytes <= MAX_OUTCOME ? await redis.hget(meta, 'outcome') : null;
    return storedTurn(turnId, { ...fields, ...(outcome !== null && { outcome }) }).view;
  }

  /** Those whose ends are not noted. */
  async #open(some: readonly ListedTurn[]): Promise<ListedTurn[]> {
    const { redis, keys } = this.#connection;
    const ends = await Promise.all(
      some.map(({ tenant, turnId }) => redis.zscore(keys.turnsOf(tenant).ended, turnId)),
    );
    return some.filter((_turn, index) => ends[index] === null);
  }

  /** Those that are wanted. Reads what decides about it, and no outcomes: they can be large. */
  async #matching(some: readonly ListedTurn[], filter: TurnFilter, nowMs: number): Promise<ListedTurn[]> {
    const { redis, keys } = this.#connection;
    const metas = await Promise.all(
      some.map(({ turnId }) => redis.hmget(keys.turn(turnId).meta, ...FILTER_FIELDS)),
    );
    const unknown = some.filter(
      ({ submittedAtMs }, index) => metas[index]?.[0] == null && nowMs - submittedAtMs > UNKNOWN_AFTER_MS,
    );
    await this.#forget(unknown);
    return some.filter((turn, index) => isWanted(filter, turn, metas[index] ?? []));
  }

  async #forget(unknown: readonly ListedTurn[]): Promise<void> {
    const { redis, keys } = this.#connection;
    await Promise.all(
      unknown.map(async ({ tenant, turnId }) => {
        const { turns, ended } = keys.turnsOf(tenant);
        await Promise.all([redis.zrem(turns, turnId), redis.zrem(ended, turnId)]);
      }),
    );
  }
}
