import type { TurnId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { comesAfter, type TurnPlace } from './turn-cursor.ts';

/** A turn as the list of its tenant has it. */
export interface ListedTurn extends TurnPlace {
  readonly tenant: string;
}

export interface NewestTurnsOptions {
  readonly tenants: readonly string[];
  /** Only what comes after this place. */
  readonly after: TurnPlace | null;
  /** Only what was submitted at these times; null: at any. Both ends are included. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Entries read together, over all tenants, and of one tenant at least. */
const TOGETHER = 400;
const AT_LEAST = 20;

/** What was read of one tenant and not given yet. */
interface Lane {
  readonly tenant: string;
  readonly ready: ListedTurn[];
  /** Where the reading goes on. */
  after: TurnPlace | null;
  isRead: boolean;
}

/** The turns of several tenants as one list, newest first, read as far as they are wanted. */
export class NewestTurns {
  readonly #connection: QueueConnection;
  readonly #options: NewestTurnsOptions;
  readonly #lanes: readonly Lane[];
  readonly #count: number;
  #last: ListedTurn | null = null;

  constructor(connection: QueueConnection, options: NewestTurnsOptions) {
    const { tenants, after } = options;
    this.#connection = connection;
    this.#options = options;
    this.#lanes = tenants.map((tenant) => ({ tenant, ready: [], after, isRead: false }));
    this.#count = Math.max(AT_LEAST, Math.ceil(TOGETHER / Math.max(1, tenants.length)));
  }

  /** The turn that was given last. */
  get last(): ListedTurn | null {
    return this.#last;
  }

  /** The next turns: fewer than asked for when there are no others. */
  async take(count: number): Promise<ListedTurn[]> {
    const taken: ListedTurn[] = [];
    while (taken.length < count) {
      // The newest of all can be told only when the newest of each is there.
      const empty = this.#lanes.filter(({ ready, isRead }) => ready.length === 0 && !isRead);
      if (empty.length > 0) await Promise.all(empty.map((lane) => this.#fill(lane)));
      const newest = newestOf(this.#lanes);
      if (newest === null) break;
      taken.push(newest);
      this.#last = newest;
    }
    return taken;
  }

  async #fill(lane: Lane): Promise<void> {
    let skipped = 0;
    while (lane.ready.length === 0 && !lane.isRead) {
      const some = await this.#read(lane, skipped);
      const { after } = lane;
      const fresh = after === null ? some : some.filter((turn) => comesAfter(turn, after));
      // Turns of one millisecond fill a whole page: there is no place between them to go on from.
      skipped += some.length;
      lane.isRead = some.length < this.#count;
      lane.ready.push(...fresh);
      lane.after = fresh.at(-1) ?? after;
    }
  }

  async #read({ tenant, after }: Lane, offset: number): Promise<ListedTurn[]> {
    const { redis, keys } = this.#connection;
    const { fromMs, toMs } = this.#options;
    const most = Math.min(after?.submittedAtMs ?? Infinity, toMs ?? Infinity);
    const rows = await redis.zrevrangebyscore(
      keys.turnsOf(tenant).turns,
      most === Infinity ? '+inf' : most,
      fromMs ?? '-inf',
      'WITHSCORES',
      'LIMIT',
      offset,
      this.#count,
    );
    const turns: ListedTurn[] = [];
    for (let index = 0; index + 1 < rows.length; index += 2)
      turns.push({ tenant, turnId: rows[index] as TurnId, submittedAtMs: Number(rows[index + 1]) });
    return turns;
  }
}

/** Takes the newest turn of all lanes out of its lane; null when they are empty. */
function newestOf(lanes: readonly Lane[]): ListedTurn | null {
  let best: Lane | null = null;
  for (const lane of lanes) {
    const [first] = lane.ready;
    if (first === undefined) continue;
    const [other] = best?.ready ?? [];
    if (other === undefined || comesAfter(other, first)) best = lane;
  }
  return best?.ready.shift() ?? null;
}
