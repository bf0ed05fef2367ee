/**
 * Reads the results streams of some shards in batches, each entry at least once. Which shards changes while it runs.
 *
 * R1  An entry is delivered until it is acknowledged.
 * R2  Who adds a shard is its only owner. What others took from it and did not acknowledge comes first, and the names
 *     of those that are gone are removed from the group.
 * R3  No read waits longer than the shards are ours: Redis would go on giving entries to a process that hangs.
 * R4  Entries of a shard that is not ours any more are put back, for its owner to read. Those that a hung process could
 *     not put back are found by {@link ResultsConsumer.lookForStrays}, now and then.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { BLOCK_MS, type QueueConnection } from '../connection.ts';
import type { Delivery } from '../envelope.ts';
import { GIVE_BACK, GROUP, REMOVE_IDLE_CONSUMERS } from './consumer-scripts.ts';
import { readEntry, wasGivenBack } from './read-entry.ts';

/** Where a search for strays begins and ends. */
const ORIGIN = '0-0';
/** Between two attempts to wake a read. */
const WAKE_PAUSE_MS = 5;

export interface ResultsConsumerOptions {
  readonly connection: QueueConnection;
  /** The shards to read at first. Default: all of them. */
  readonly shards?: readonly number[];
  /** Entries of one stream per read. */
  readonly batch?: number;
  /** How long a read may wait (R3). */
  readonly waitMs?: () => number;
}

type Entry = [id: string, fields: string[]];

export class ResultsConsumer {
  readonly #connection: QueueConnection;
  readonly #batch: number;
  readonly #waitMs: () => number;
  readonly #name = `${hostname()}.${process.pid}.${randomUUID().slice(0, 8)}`;
  /** The shards to read, by stream. */
  readonly #shards = new Map<string, number>();
  /** Shards that may have strays, and how far they were looked for. A new search is a new object. */
  readonly #strays = new Map<number, { cursor: string }>();
  #reader: Redis | undefined;
  /** The reader's number in Redis; it changes with every connection. */
  #readerId: number | undefined;
  /** The read that waits; a new one each time. */
  #waiting: object | undefined;
  #woken: (() => void) | undefined;

  constructor(options: ResultsConsumerOptions) {
    const { connection } = options;
    this.#connection = connection;
    this.#batch = options.batch ?? 128;
    this.#waitMs = options.waitMs ?? (() => BLOCK_MS);
    const shards = options.shards ?? Array.from({ length: connection.keys.shards }, (_, index) => index);
    for (const shard of shards) this.add(shard);
  }

  open(): void {
    const reader = this.#connection.open();
    reader.on('close', () => {
      this.#readerId = undefined;
      // The connection may take a batch with it that Redis counts as given to us.
      for (const shard of this.#shards.values()) this.lookForStrays(shard);
    });
    this.#reader = reader;
  }

  /** Reads this shard as well. Only its owner may (R2). */
  add(shard: number): void {
    this.#shards.set(this.#connection.keys.shard(shard).results, shard);
    this.#strays.set(shard, { cursor: ORIGIN });
    this.#wake();
  }

  /** Reads this shard no longer. A read that is under way may still bring something of it. */
  remove(shard: number): void {
    this.#shards.delete(this.#connection.keys.shard(shard).results);
    this.#strays.delete(shard);
    this.#wake();
  }

  /** Looks once more for what others took and did not acknowledge (R4). */
  lookForStrays(shard: number): void {
    if (this.#shards.has(this.#connection.keys.shard(shard).results))
      this.#strays.set(shard, { cursor: ORIGIN });
  }

  /**
   * Whether the next read looks for strays. It finds what we have in hand as well, and marks it as redelivered: then
   * every batch before should have been acknowledged, or given back.
   */
  get isSearching(): boolean {
    return this.#strays.size > 0;
  }

  /**
   * The next batch; waits for one, up to a few seconds, or until the shards change.
   * @param wait false: only what is there already
   */
  async next(wait = true): Promise<Delivery[]> {
    const reader = this.#reader;
    if (reader === undefined) throw new Error('the consumer is not open');
    try {
      const strays = await this.#claimStrays();
      if (strays.length > 0 || this.#strays.size > 0) return strays;
      if (this.#shards.size > 0) return await this.#read(reader, wait);
    } catch (error) {
      // What Redis gave us may have been lost on the way here.
      for (const shard of this.#shards.values()) this.lookForStrays(shard);
      throw error;
    }
    if (wait) await this.#change();
    return [];
  }

  async #claimStrays(): Promise<Delivery[]> {
    const found = await Promise.all([...this.#strays].map(([shard, search]) => this.#claim(shard, search)));
    return found.flat();
  }

  async #claim(shard: number, search: { cursor: string }): Promise<Delivery[]> {
    const stream = this.#connection.keys.shard(shard).results;
    if (search.cursor === ORIGIN) await this.#makeGroup(stream);
    const [next, entries] = (await this.#connection.redis.xautoclaim(
      stream,
      GROUP,
      this.#name,
      0,
      search.cursor,
      'COUNT',
      this.#batch,
    )) as [string, (Entry | null)[]];
    const found = entries.filter((entry) => entry !== null);
    const deliveries = await this.#deliveries(shard, found, true);
    search.cursor = next;
    if (next === ORIGIN) {
      const call = { keys: [stream], args: [GROUP, this.#name] };
      await REMOVE_IDLE_CONSUMERS.run(this.#connection.redis, call);
      if (this.#strays.get(shard) === search) this.#strays.delete(shard);
    }
    return deliveries;
  }

  async #makeGroup(stream: string): Promise<void> {
    try {
      await this.#connection.redis.xgroup('CREATE', stream, GROUP, '0', 'MKSTREAM');
    } catch (error) {
      if (!isReply(error, 'BUSYGROUP')) throw error;
    }
  }

  /** What nobody has taken yet. */
  async #read(reader: Redis, wait: boolean): Promise<Delivery[]> {
    if (wait) this.#readerId ??= await reader.client('ID');
    const shards = new Map(this.#shards);
    const streams = [...shards.keys()];
    const ids = streams.map(() => '>');
    const group = ['GROUP', GROUP, this.#name, 'COUNT', this.#batch] as const;
    let reply;
    try {
      if (wait) {
        this.#waiting = {};
        // 0 would be for ever.
        const ms = Math.max(1, Math.floor(Math.min(this.#waitMs(), BLOCK_MS)));
        reply = await reader.xreadgroup(...group, 'BLOCK', ms, 'STREAMS', ...streams, ...ids);
      } else {
        reply = await reader.xreadgroup(...group, 'STREAMS', ...streams, ...ids);
      }
    } catch (error) {
      if (!isReply(error, 'NOGROUP')) throw error;
      // A Redis that was restarted without its data: what was in the streams is gone, and turns come anew.
      for (const shard of shards.values()) this.lookForStrays(shard);
      return [];
    } finally {
      this.#waiting = undefined;
    }
    const found = (reply ?? []) as [stream: string, entries: Entry[]][];
    const batches = found.map(([stream, entries]) =>
      this.#deliveries(shards.get(stream) ?? 0, entries, false),
    );
    return (await Promise.all(batches)).flat();
  }

  /** Entries that need not be delivered again. They are deleted: what happened is in the turns. */
  async acknowledge(deliveries: readonly Delivery[]): Promise<void> {
    const { redis, keys } = this.#connection;
    await Promise.all(
      [...idsByShard(deliveries)].flatMap(([shard, ids]) => {
        const stream = keys.shard(shard).results;
        return [redis.xack(stream, GROUP, ...ids), redis.xdel(stream, ...ids)];
      }),
    );
  }

  /** Entries that somebody else should have (R4). */
  async giveBack(deliveries: readonly Delivery[]): Promise<void> {
    const calls = [...idsByShard(deliveries)].map(([shard, ids]) => ({
      keys: [this.#connection.keys.shard(shard).results],
      args: [GROUP, this.#name, ...ids],
    }));
    await GIVE_BACK.runMany(this.#connection.redis, calls);
  }

  /** Ends the reading. A {@link ResultsConsumer.next} that waits fails. */
  close(): void {
    this.#reader?.disconnect();
    this.#reader = undefined;
    this.#woken?.();
  }

  /** Waits until there are other shards to read. */
  async #change(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#woken = resolve;
      timer = setTimeout(resolve, BLOCK_MS);
    });
    clearTimeout(timer);
    this.#woken = undefined;
  }

  /** Ends the wait of a read, so that the next one is of the shards there are now. */
  #wake(): void {
    this.#woken?.();
    if (this.#waiting !== undefined) void this.#unblock(this.#waiting).catch(() => {});
  }

  async #unblock(read: object): Promise<void> {
    // The read may not have reached Redis yet: it goes another way than this.
    for (let pauseMs = WAKE_PAUSE_MS; this.#waiting === read; pauseMs *= 2) {
      if (this.#readerId === undefined) return;
      await this.#connection.redis.client('UNBLOCK', this.#readerId);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async #deliveries(shard: number, entries: readonly Entry[], redelivered: boolean): Promise<Delivery[]> {
    return Promise.all(
      entries.map(async ([entryId, fields]) => ({
        entryId,
        shard,
        redelivered: redelivered || wasGivenBack(fields),
        message: await readEntry(this.#connection, fields),
      })),
    );
  }
}

function idsByShard(deliveries: readonly Delivery[]): Map<number, string[]> {
  const ids = new Map<number, string[]>();
  for (const { shard, entryId } of deliveries) {
    const some = ids.get(shard);
    if (some === undefined) ids.set(shard, [entryId]);
    else some.push(entryId);
  }
  return ids;
}

function isReply(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.startsWith(code);
}
