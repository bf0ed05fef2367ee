import { randomUUID } from 'node:crypto';
import type { JobId, TurnId } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  type Delivery,
  postResult,
  postStart,
  type QueueConnection,
  ResultsConsumer,
  type ResultsConsumerOptions,
} from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();
const GROUP = 'orchestrators';

describe.skipIf(redis === undefined)('a consumer of results', () => {
  const turn = 'turn' as TurnId;
  let connection: QueueConnection;
  let shard: number;
  let stream: string;
  let consumers: ResultsConsumer[];

  beforeEach(async () => {
    connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    shard = connection.keys.shardOf(turn);
    stream = connection.keys.shard(shard).results;
    consumers = [];
  });
  afterEach(async () => {
    for (const consumer of consumers) consumer.close();
    await connection.close();
  });
  afterAll(async () => redis?.stop());

  const open = (options: Partial<ResultsConsumerOptions> = {}): ResultsConsumer => {
    const consumer = new ResultsConsumer({ connection, shards: [], ...options });
    consumer.open();
    consumers.push(consumer);
    return consumer;
  };
  const post = (step: number): Promise<void> =>
    postResult(connection, { jobId: `${turn}.${step}.c` as JobId, status: 'ok', text: `${step}` });
  const textsOf = (batch: readonly Delivery[]): string[] =>
    batch.map(({ message }) => (message.type === 'result' ? message.result.text : message.type));
  const names = async (): Promise<number> =>
    ((await connection.redis.xinfo('CONSUMERS', stream, GROUP)) as unknown[]).length;
  /** The next batch that holds something. */
  const filled = async (consumer: ResultsConsumer): Promise<Delivery[]> => {
    for (;;) {
      const batch = await consumer.next();
      if (batch.length > 0) return batch;
    }
  };

  it('reads a shard that is added while it waits for others, and without a wait', async () => {
    const consumer = open({ shards: [(shard + 1) % 16] });
    const reading = filled(consumer);
    await until(async () => (await blocked()) === 1, 5000, 'the consumer waits');
    await post(1);
    const addedAtMs = performance.now();
    consumer.add(shard);
    expect(textsOf(await reading)).toEqual(['1']);
    // A read that is not woken would wait for five seconds.
    expect(performance.now() - addedAtMs).toBeLessThan(2500);
  });

  const blocked = async (): Promise<number> =>
    Number(/blocked_clients:(\d+)/.exec(await connection.redis.info('clients'))?.[1]);

  it('reads a shard no longer that was removed', async () => {
    const consumer = open({ shards: [shard, (shard + 1) % 16] });
    expect(await consumer.next(false)).toEqual([]);
    const waiting = consumer.next();
    await until(async () => (await blocked()) === 1, 5000, 'the consumer waits');
    consumer.remove(shard);
    expect(await waiting).toEqual([]);
    await post(1);
    expect(await consumer.next(false)).toEqual([]);
    expect(textsOf(await filled(open({ shards: [shard] })))).toEqual(['1']);
  });

  it('waits no longer than the shards are its own (R3)', async () => {
    const consumer = open({ shards: [shard], waitMs: () => 50 });
    await consumer.next(false);
    const fromMs = performance.now();
    expect(await consumer.next()).toEqual([]);
    expect(performance.now() - fromMs).toBeLessThan(2500);
  });

  it('begins with what the owner before it took and did not acknowledge, and removes its name (R1, R2)', async () => {
    const dead = open({ shards: [shard], batch: 2 });
    for (let step = 1; step <= 5; step++) await post(step);
    const first = await filled(dead);
    expect(textsOf(first)).toEqual(['1', '2']);
    await dead.acknowledge(first.slice(0, 1));
    dead.close();
    const next = open({ batch: 2 });
    next.add(shard);
    const taken = await filled(next);
    expect(textsOf(taken)).toEqual(['2']);
    expect(taken[0]?.redelivered).toBe(true);
    await next.acknowledge(taken);
    expect(textsOf(await filled(next))).toEqual(['3', '4']);
    expect(await names()).toBe(1);
  });

  it('takes over more than one batch', async () => {
    const dead = open({ shards: [shard], batch: 100 });
    for (let step = 0; step < 25; step++) await post(step);
    expect(await filled(dead)).toHaveLength(25);
    dead.close();
    const next = open({ batch: 10 });
    next.add(shard);
    const seen: string[] = [];
    while (seen.length < 25) {
      const batch = await filled(next);
      seen.push(...textsOf(batch));
      await next.acknowledge(batch);
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, step) => `${step}`));
    expect(await connection.redis.xlen(stream)).toBe(0);
    expect(await names()).toBe(1);
  });

  it('puts back what is not its own, for the owner to read, as something that was seen before (R4)', async () => {
    const stale = open({ shards: [shard] });
    await post(1);
    const batch = await filled(stale);
    const owner = open();
    owner.add(shard);
    expect(textsOf(await owner.next(false))).toEqual(['1']);
    // It was claimed meanwhile: putting it back would be a second copy.
    await stale.giveBack(batch);
    expect(await connection.redis.xlen(stream)).toBe(1);

    await post(2);
    const late = await stale.next(false);
    expect(textsOf(late)).toEqual(['2']);
    await stale.giveBack(late);
    const again = await filled(owner);
    expect(textsOf(again)).toEqual(['2']);
    expect(again[0]?.redelivered).toBe(true);
  });

  it('finds what was given to one that hung, when it is told to look (R4)', async () => {
    const owner = open({ shards: [shard] });
    await owner.next(false);
    const hung = open({ shards: [shard] });
    await hung.next(false);
    await postStart(connection, turn);
    expect(textsOf(await hung.next(false))).toEqual(['start']);
    expect(await owner.next(false)).toEqual([]);
    owner.lookForStrays(shard);
    expect(textsOf(await owner.next(false))).toEqual(['start']);
  });

  it('goes on in a Redis that has lost its streams', async () => {
    const consumer = open({ shards: [shard] });
    await post(1);
    expect(await filled(consumer)).toHaveLength(1);
    await connection.redis.del(stream);
    await post(2);
    expect(textsOf(await filled(consumer))).toEqual(['2']);
  });
});
