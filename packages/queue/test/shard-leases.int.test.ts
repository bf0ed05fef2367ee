import { randomUUID } from 'node:crypto';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, type LeaseTimes, type QueueConnection, ShardLeases } from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();

/** What happened to a shard, in the order in which it did. */
interface Change {
  readonly owner: string;
  readonly shard: number;
  readonly what: 'gained' | 'given up' | 'lost';
  readonly epoch: number;
  readonly atMs: number;
}

/** Long enough that nothing in a test happens because a time is over. */
const PATIENT: LeaseTimes = { leaseMs: 60_000, renewMs: 20_000 };
const SHORT: LeaseTimes = { leaseMs: 1200, renewMs: 300 };

describe.skipIf(redis === undefined)('leases of shards', () => {
  let prefix: string;
  let changes: Change[];
  let connections: QueueConnection[];
  let all: ShardLeases[];

  beforeEach(() => {
    prefix = `t${randomUUID().slice(0, 8)}`;
    changes = [];
    connections = [];
    all = [];
  });
  afterEach(async () => {
    await Promise.all(all.map((leases) => leases.close()));
    await Promise.all(connections.map((connection) => connection.close()));
  });
  afterAll(async () => redis?.stop());

  const start = async (
    times: LeaseTimes,
    putDown: () => void | Promise<void> = () => {},
  ): Promise<{ leases: ShardLeases; connection: QueueConnection }> => {
    const connection = await connect({ url: redis!.url, prefix });
    connections.push(connection);
    const note = (shard: number, what: Change['what'], epoch: number): void => {
      changes.push({ owner: leases.owner, shard, what, epoch, atMs: performance.now() });
    };
    const leases: ShardLeases = new ShardLeases({
      connection,
      times,
      onGained: (shard, epoch) => note(shard, 'gained', epoch),
      onLost: (shard, how) => {
        note(shard, how, 0);
        return putDown();
      },
      onError: () => {},
    });
    all.push(leases);
    await leases.start();
    return { leases, connection };
  };
  const shares = (): number[] => all.map((leases) => leases.shards.length).toSorted((a, b) => a - b);
  const epochsOf = (shard: number): number[] =>
    changes.filter((one) => one.shard === shard && one.what === 'gained').map(({ epoch }) => epoch);

  it('all go to the only orchestrator there is, before it takes work', async () => {
    const { leases } = await start(PATIENT);
    expect(leases.shards).toEqual(Array.from({ length: 16 }, (_, index) => index));
    expect(leases.epochOf(3)).toBe(1);
  });

  it('are shared evenly with those that join, without waiting for a renewal (L4)', async () => {
    await start(PATIENT);
    await start(PATIENT);
    await until(() => shares().join() === '8,8', 5000, 'two have eight each');
    await start(PATIENT);
    await until(() => shares().join() === '5,5,6', 5000, 'three have about a third each');
    const held = all.flatMap((leases) => leases.shards);
    expect(new Set(held).size).toBe(16);
  });

  it('go to the others at once when their owner stops', async () => {
    const first = await start(PATIENT);
    await start(PATIENT);
    await until(() => shares().join() === '8,8', 5000, 'two have eight each');
    await first.leases.close();
    await until(() => shares().join() === '0,16', 2000, 'the other one has all');
  });

  it('have an epoch that grows with every owner (L2)', async () => {
    const first = await start(PATIENT);
    const second = await start(PATIENT);
    await until(() => shares().join() === '8,8', 5000, 'two have eight each');
    await first.leases.close();
    await until(() => second.leases.shards.length === 16, 2000, 'the second has all');
    await second.leases.close();
    await start(PATIENT);
    for (let shard = 0; shard < 16; shard++) {
      const epochs = epochsOf(shard);
      expect(epochs).toEqual(epochs.map((_, index) => index + 1));
      expect(epochs.length).toBeGreaterThan(1);
    }
  });

  it('are over for an owner that cannot renew them before anybody else has them (L1)', async () => {
    const cut = await start(SHORT);
    const { owner } = cut.leases;
    cut.connection.redis.disconnect();
    const cutAtMs = performance.now();
    const other = await start(SHORT);
    await until(() => other.leases.shards.length === 16, 5000, 'the other one has all');
    expect(cut.leases.shards).toEqual([]);
    for (let shard = 0; shard < 16; shard++) {
      const ours = changes.filter((one) => one.shard === shard);
      expect(ours.map(({ what }) => what)).toEqual(['gained', 'lost', 'gained']);
      expect(ours[1]).toMatchObject({ owner });
      expect(ours[2]).toMatchObject({ owner: other.leases.owner, epoch: 2 });
    }
    const tookMs = Math.max(...changes.map(({ atMs }) => atMs)) - cutAtMs;
    expect(tookMs).toBeLessThan(SHORT.leaseMs + SHORT.renewMs);
  });

  it('are kept until their owner has put the shard down, and renewed meanwhile (L3)', async () => {
    let putDown: () => void = () => {};
    const busy = new Promise<void>((resolve) => (putDown = resolve));
    const first = await start(SHORT, () => busy);
    const second = await start(SHORT);
    await until(
      () => changes.filter(({ what }) => what === 'given up').length === 8,
      5000,
      'eight are asked for',
    );
    const askedAtMs = performance.now();
    await until(() => performance.now() - askedAtMs > SHORT.leaseMs * 1.5, 5000, 'a lease would be over');
    expect(second.leases.shards).toEqual([]);
    expect(first.leases.shards).toHaveLength(16);
    putDown();
    await until(() => shares().join() === '8,8', 2000, 'two have eight each');
    expect(changes.some(({ what }) => what === 'lost')).toBe(false);
  });

  it('are taken anew when Redis has forgotten them', async () => {
    const { leases, connection } = await start(SHORT);
    const { keys } = connection;
    await connection.redis.del(...Array.from({ length: 16 }, (_, shard) => keys.shard(shard).lease));
    await until(() => changes.filter(({ what }) => what === 'lost').length === 16, 5000, 'all are lost');
    await until(() => leases.shards.length === 16, 5000, 'all are taken again');
    expect(leases.epochOf(0)).toBe(2);
  });
});
