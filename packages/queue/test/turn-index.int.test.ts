import { randomUUID } from 'node:crypto';
import { NO_ORIGIN, type TurnId } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  type QueueConnection,
  submitTurn,
  TurnIndex,
  type TurnListQuery,
  type TurnState,
  TurnStore,
} from '../src/index.ts';

const MINUTE_MS = 60_000;
const NOW_MS = 1_900_000_000_000;

interface Facts {
  readonly tenant?: string;
  readonly status?: TurnState;
  readonly skill?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('the list of turns', () => {
  let connection: QueueConnection;
  let index: TurnIndex;

  afterAll(async () => redis?.stop());
  beforeEach(async () => {
    connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    index = new TurnIndex(connection);
  });
  afterEach(() => connection.close());

  /** A turn as its submission and its orchestrator would have stored it. */
  async function store(name: string, submittedAtMs: number, facts: Facts = {}): Promise<TurnId> {
    const turnId = name as TurnId;
    const { tenant = 'default', status = 'running', skill = 'triage', labels = {} } = facts;
    const { redis: commands, keys } = connection;
    const origin = JSON.stringify({ ...NO_ORIGIN, tenant, labels });
    await Promise.all([
      commands.zadd(keys.turnsOf(tenant).turns, submittedAtMs, turnId),
      commands.sadd(keys.tenants, tenant),
      commands.hset(keys.turn(turnId).meta, { status, submittedAtMs, name: skill, skill: 'hash', origin }),
    ]);
    return turnId;
  }

  async function idsOf(query: Partial<TurnListQuery> = {}): Promise<string[]> {
    const { turns } = await index.list({ tenants: ['default'], ...query }, NOW_MS);
    return turns.map(({ turnId }) => turnId);
  }

  async function allPages(
    query: TurnListQuery,
    between?: (page: number) => Promise<void>,
  ): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; ; page++) {
      const { turns, next } = await index.list({ ...query, ...(cursor !== undefined && { cursor }) }, NOW_MS);
      ids.push(...turns.map(({ turnId }) => turnId));
      if (next === null) return ids;
      cursor = next;
      await between?.(page);
    }
  }

  it('has the newest first, and pages through turns of one millisecond without a repeat or a gap', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await store(name, 1000);
    await store('new', 2000);
    await store('old', 500);
    expect(await idsOf()).toEqual(['new', 'e', 'd', 'c', 'b', 'a', 'old']);
    expect(await allPages({ tenants: ['default'], limit: 2 })).toEqual(await idsOf());
  });

  it('says why a turn failed, and leaves out outcomes that are large', async () => {
    const error = { code: 'TOOL_FAILED', message: 'no' };
    for (const [name, answer] of [
      ['small', 'x'],
      ['large', 'x'.repeat(100_000)],
    ] as const) {
      const { meta } = connection.keys.turn(await store(name, 1000, { status: 'failed' }));
      await connection.redis.hset(meta, { outcome: JSON.stringify({ error, answer }), endedAtMs: 2000 });
    }
    const { turns } = await index.list({ tenants: ['default'] }, NOW_MS);
    expect(turns).toMatchObject([
      { turnId: 'small', status: 'failed', endedAtMs: 2000, outcome: { error } },
      { turnId: 'large', status: 'failed', endedAtMs: 2000, outcome: null },
    ]);
  });

  it('meets each of 10,000 turns of three tenants once, while others are submitted', async () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `t${String(at).padStart(5, '0')}`);
    const tenantOf = (at: number): string => ['default', 'acme', 'other'][at % 3] ?? '';
    // Several to the millisecond, as a burst of submissions has them.
    await Promise.all(
      names.map((name, at) => store(name, 1000 + Math.floor(at / 7), { tenant: tenantOf(at) })),
    );
    const met = await allPages({ tenants: 'all', limit: 200 }, async (page) => {
      await store(`late${page}`, NOW_MS + page, { tenant: tenantOf(page) });
    });
    expect(met).toHaveLength(names.length);
    expect(met).toEqual(names.toReversed());
  });

  it('finds turns by status, skill, labels, a part of a text, and the time of submission', async () => {
    await store('a', 1000, { status: 'failed', skill: 'triage', labels: { team: 'red', env: 'prod' } });
    await store('b', 2000, { status: 'queued', skill: 'bake', labels: { team: 'red' } });
    await store('c', 3000, { status: 'completed', skill: 'bake' });
    expect(await idsOf({ status: ['failed', 'queued'] })).toEqual(['b', 'a']);
    expect(await idsOf({ skill: 'bake' })).toEqual(['c', 'b']);
    expect(await idsOf({ labels: { team: 'red' } })).toEqual(['b', 'a']);
    expect(await idsOf({ labels: { team: 'red', env: 'prod' } })).toEqual(['a']);
    expect(await idsOf({ labels: { constructor: 'red' } })).toEqual([]);
    expect(await idsOf({ search: 'TRIA' })).toEqual(['a']);
    expect(await idsOf({ search: 'env=pr' })).toEqual(['a']);
    expect(await idsOf({ submittedAfterMs: 1500, submittedBeforeMs: 2500 })).toEqual(['b']);
  });

  it('gives a cursor when it has looked at 5,000 turns and found too few', async () => {
    await Promise.all(Array.from({ length: 5100 }, (_, at) => store(`t${at}`, 10_000 + at)));
    await store('needle', 1000, { skill: 'rare' });
    const query = { tenants: ['default'], skill: 'rare' };
    const { turns, next } = await index.list(query, NOW_MS);
    expect(turns).toEqual([]);
    expect(next).not.toBeNull();
    expect(await allPages(query)).toEqual(['needle']);
  });

  it('finds the one turn that runs behind 10,000 that have ended, in one page', async () => {
    await store('runs', 1000);
    const { ended } = connection.keys.turnsOf('default');
    await Promise.all(
      Array.from({ length: 10_000 }, async (_, at) => {
        const turnId = await store(`t${at}`, 10_000 + at, { status: 'completed' });
        await connection.redis.zadd(ended, 20_000 + at, turnId);
      }),
    );
    const { turns, next } = await index.list({ tenants: 'all', status: ['queued', 'running'] }, NOW_MS);
    expect(turns.map(({ turnId }) => turnId)).toEqual(['runs']);
    expect(next).toBeNull();
  });

  it('shows no turn of another tenant, not even one whose id was entered for the asker', async () => {
    const foreign = await store('foreign', 1000, { tenant: 'acme' });
    await connection.redis.zadd(connection.keys.turnsOf('default').turns, 1000, foreign);
    expect(await idsOf()).toEqual([]);
    expect(await idsOf({ tenants: ['acme'] })).toEqual(['foreign']);
  });

  it('forgets what never came after a minute, and not before', async () => {
    const { turns } = connection.keys.turnsOf('default');
    await connection.redis.zadd(turns, NOW_MS - 2 * MINUTE_MS, 'lost');
    await connection.redis.zadd(turns, NOW_MS - 1000, 'on-its-way');
    expect(await idsOf()).toEqual([]);
    expect(await connection.redis.zrange(turns, '0', '-1')).toEqual(['on-its-way']);
    expect(await index.countOpen('default')).toBe(1);
  });

  it.each(['nonsense', Buffer.from('1/../x').toString('base64url'), ''])(
    'refuses the cursor "%s"',
    async (cursor) => {
      await expect(index.list({ tenants: 'all', cursor })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    },
  );

  it('says why ends could not be written, and writes them later', async () => {
    const told: string[] = [];
    const turns = new TurnStore(connection, { onError: (error) => told.push(String(error)) });
    const origin = { ...NO_ORIGIN, tenant: 'acme' };
    const turnId = 'stuck' as TurnId;
    await submitTurn(connection, { turnId, skillText: 's', file: 'f', vars: {}, origin }, 1000);
    await connection.redis.hset(connection.keys.turn(turnId).meta, 'status', 'completed');
    const { ended } = connection.keys.turnsOf('acme');
    await connection.redis.set(ended, 'no list');
    turns.noteEnd({ turnId, tenant: 'acme', endedAtMs: 5000 });
    await until(() => told.length > 0, 5000, 'a complaint');
    expect(told[0]).toContain('WRONGTYPE');
    await connection.redis.del(ended);
    await until(async () => (await index.countOpen('acme')) === 0, 5000, 'the end to be written');
    expect(told).toHaveLength(1);
  });

  it('counts turns as open from their submission to their end, and forgets them when they are kept no longer', async () => {
    const turns = new TurnStore(connection, { retentionSeconds: 60 });
    const submit = (name: string, more: object = {}): Promise<boolean> =>
      submitTurn(connection, { turnId: name as TurnId, skillText: 's', file: 'f', vars: {}, ...more }, 1000);
    const end = async (name: string, endedAtMs: number): Promise<void> => {
      await connection.redis.hset(connection.keys.turn(name as TurnId).meta, 'status', 'completed');
      turns.noteEnd({ turnId: name as TurnId, tenant: 'acme', endedAtMs });
      await turns.flush();
    };
    const origin = { ...NO_ORIGIN, tenant: 'acme' };
    await submit('one', { origin });
    await submit('two', { origin });
    // What another turn delegated to is not listed.
    const lineage = { parent: 'one.0.d', depth: 1, root: 'one' };
    await submit('child', { origin, lineage });
    expect(await index.countOpen('acme')).toBe(2);
    expect(await idsOf({ tenants: 'all' })).toEqual(['two', 'one']);

    await end('one', 5000);
    await end('one', 5000);
    await end('child', 5000);
    expect(await index.countOpen('acme')).toBe(1);

    await end('two', 5000 + MINUTE_MS + 1);
    expect(await index.countOpen('acme')).toBe(0);
    expect(await idsOf({ tenants: ['acme'] })).toEqual(['two']);
    // Nobody may ever come back to them.
    const { turns: list, ended } = connection.keys.turnsOf('acme');
    expect(await connection.redis.ttl(list)).toBe(60);
    expect(await connection.redis.ttl(ended)).toBe(60);

    await submit('three', { origin });
    expect(await connection.redis.ttl(list)).toBe(-1);
    expect(await connection.redis.ttl(ended)).toBe(-1);
  });

  it('has a turn that was reopened before its end was written down as one that runs', async () => {
    const turns = new TurnStore(connection);
    const turnId = 'again' as TurnId;
    await submitTurn(connection, { turnId, skillText: 's', file: 'f', vars: {} }, 1000);
    const { meta } = connection.keys.turn(turnId);
    await connection.redis.hset(meta, 'status', 'failed');
    turns.noteEnd({ turnId, tenant: 'default', endedAtMs: 5000 });
    await connection.redis.hset(meta, 'status', 'running');
    await turns.flush();
    expect(await index.countOpen('default')).toBe(1);
    const { live } = connection.keys.shard(connection.keys.shardOf(turnId));
    expect(await connection.redis.zscore(live, turnId)).toBe('1000');
  });

  it('counts a turn as open whose id an ended one had that is kept no longer', async () => {
    const turns = new TurnStore(connection);
    const turnId = 'daily' as TurnId;
    const request = { turnId, skillText: 's', file: 'f', vars: {} };
    await submitTurn(connection, request, 1000);
    const { meta } = connection.keys.turn(turnId);
    await connection.redis.hset(meta, 'status', 'completed');
    turns.noteEnd({ turnId, tenant: 'default', endedAtMs: 5000 });
    await turns.flush();
    expect(await index.countOpen('default')).toBe(0);
    await connection.redis.del(meta);
    await submitTurn(connection, request, NOW_MS);
    expect(await index.countOpen('default')).toBe(1);
    expect(await idsOf({ status: ['queued'], submittedAfterMs: NOW_MS })).toEqual(['daily']);
  });
});
