import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { JobId, StepError, StepResult, TurnId } from '@skillyard/contracts';
import type { Redis } from 'ioredis';
import { BLOCK_MS, type QueueConnection } from '../connection.ts';
import type { Delivery, TurnMessage } from '../envelope.ts';
import { unpackResult } from '../payload.ts';

/** The one consumer group of every results stream. */
const GROUP = 'orchestrators';

export interface ResultsConsumerOptions {
  readonly connection: QueueConnection;
  /** The shards to read. Until they are leased, all of them. */
  readonly shards?: readonly number[];
  /** Entries of one stream per read. */
  readonly batch?: number;
}

type Entry = [id: string, fields: string[]];

/**
 * Reads the results streams of some shards in batches, each entry at least once.
 *
 * An entry is delivered until it is acknowledged. What a consumer before this one took and never acknowledged is
 * claimed by {@link ResultsConsumer.takeOver}.
 */
export class ResultsConsumer {
  readonly #connection: QueueConnection;
  readonly #shards: ReadonlyMap<string, number>;
  readonly #batch: number;
  readonly #name = `${hostname()}.${process.pid}.${randomUUID().slice(0, 8)}`;
  #reader: Redis | undefined;
  #mayHaveMissed = false;

  constructor(options: ResultsConsumerOptions) {
    const { connection } = options;
    const all = Array.from({ length: connection.keys.shards }, (_, index) => index);
    this.#connection = connection;
    this.#shards = new Map(
      (options.shards ?? all).map((index) => [connection.keys.shard(index).results, index]),
    );
    this.#batch = options.batch ?? 128;
  }

  /** Makes the streams and their group, where they are not there yet. */
  async open(): Promise<void> {
    await this.#makeGroups();
    const reader = this.#connection.open();
    // A connection that breaks may take a batch with it that Redis counts as given to us.
    reader.on('close', () => {
      this.#mayHaveMissed = true;
    });
    this.#reader = reader;
  }

  async #makeGroups(): Promise<void> {
    for (const stream of this.#shards.keys()) {
      try {
        await this.#connection.redis.xgroup('CREATE', stream, GROUP, '0', 'MKSTREAM');
      } catch (error) {
        if (!isReply(error, 'BUSYGROUP')) throw error;
      }
    }
  }

  /**
   * Claims what others took and did not acknowledge, stream by stream.
   * @param minIdleMs only what was taken longer ago than this; 0 takes all, as the only owner of a shard may
   */
  async *takeOver(minIdleMs: number): AsyncGenerator<Delivery[]> {
    for (const [stream, shard] of this.#shards) {
      let cursor = '0-0';
      do {
        const [next, entries] = (await this.#connection.redis.xautoclaim(
          stream,
          GROUP,
          this.#name,
          minIdleMs,
          cursor,
          'COUNT',
          this.#batch,
        )) as [string, Entry[]];
        cursor = next;
        const deliveries = await this.#deliveries(shard, entries, true);
        if (deliveries.length > 0) yield deliveries;
      } while (cursor !== '0-0');
    }
  }

  /**
   * The next batch; waits up to {@link BLOCK_MS} for one. The batch before must have been acknowledged.
   * @param wait false: only what is there already
   */
  async next(wait = true): Promise<Delivery[]> {
    const reader = this.#reader;
    if (reader === undefined) throw new Error('the consumer is not open');
    if (this.#mayHaveMissed) {
      const missed = await this.#read(reader, '0', false);
      if (missed.length > 0) return missed;
      this.#mayHaveMissed = false;
    }
    return this.#read(reader, '>', wait);
  }

  /** @param from `>`: what nobody has taken yet; `0`: what was given to us and is not acknowledged */
  async #read(reader: Redis, from: '>' | '0', wait: boolean): Promise<Delivery[]> {
    const streams = [...this.#shards.keys()];
    const ids = streams.map(() => from);
    const group = ['GROUP', GROUP, this.#name, 'COUNT', this.#batch] as const;
    let reply;
    try {
      reply = wait
        ? await reader.xreadgroup(...group, 'BLOCK', BLOCK_MS, 'STREAMS', ...streams, ...ids)
        : await reader.xreadgroup(...group, 'STREAMS', ...streams, ...ids);
    } catch (error) {
      if (!isReply(error, 'NOGROUP')) throw error;
      // A Redis that was restarted without its data: what was in the streams is gone, and turns come anew.
      await this.#makeGroups();
      return [];
    }
    const found = (reply ?? []) as [stream: string, entries: Entry[]][];
    const batches = found.map(([stream, entries]) =>
      this.#deliveries(this.#shards.get(stream) ?? 0, entries, from === '0'),
    );
    return (await Promise.all(batches)).flat();
  }

  /** Entries that need not be delivered again. They are deleted: what happened is in the turns. */
  async acknowledge(deliveries: readonly Delivery[]): Promise<void> {
    const idsByShard = new Map<number, string[]>();
    for (const { shard, entryId } of deliveries) {
      const ids = idsByShard.get(shard);
      if (ids === undefined) idsByShard.set(shard, [entryId]);
      else ids.push(entryId);
    }
    const pipeline = this.#connection.redis.pipeline();
    for (const [shard, ids] of idsByShard) {
      const stream = this.#connection.keys.shard(shard).results;
      pipeline.xack(stream, GROUP, ...ids);
      pipeline.xdel(stream, ...ids);
    }
    for (const [error] of (await pipeline.exec()) ?? []) if (error !== null) throw error;
  }

  /** Stops a waiting {@link ResultsConsumer.next}, which then fails. */
  close(): void {
    this.#reader?.disconnect();
    this.#reader = undefined;
  }

  async #deliveries(shard: number, entries: readonly Entry[], redelivered: boolean): Promise<Delivery[]> {
    return Promise.all(
      entries.map(async ([entryId, fields]) => ({
        entryId,
        shard,
        redelivered,
        message: await this.#message(fields),
      })),
    );
  }

  async #message(fields: readonly string[]): Promise<TurnMessage> {
    const turnId = valueOf(fields, 't') as TurnId;
    const reason = valueOf(fields, 'c');
    if (reason !== undefined) return { type: 'cancel', turnId, reason: JSON.parse(reason) as StepError };
    if (valueOf(fields, 'x') !== undefined) return { type: 'expire', turnId };
    const kept = valueOf(fields, 'p') as JobId | undefined;
    if (kept === undefined) {
      return { type: 'result', turnId, result: JSON.parse(valueOf(fields, 'r') ?? '{}') as StepResult };
    }
    const result = await unpackResult(this.#connection, kept);
    // Applied or dropped already: then nobody waits for it, and any result will do.
    const error = { code: 'STEP_FAILED', message: 'the result was posted and is gone' };
    return { type: 'result', turnId, result: result ?? { jobId: kept, status: 'error', text: '', error } };
  }
}

/** The value of a field of an entry, which is a flat list of names and values. */
function valueOf(fields: readonly string[], name: string): string | undefined {
  for (let index = 0; index + 1 < fields.length; index += 2) {
    if (fields[index] === name) return fields[index + 1];
  }
  return undefined;
}

function isReply(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.startsWith(code);
}
