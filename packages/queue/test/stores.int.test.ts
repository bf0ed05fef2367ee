import { randomUUID } from 'node:crypto';
import type { TurnId } from '@skillyard/contracts';
import { type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connect,
  type QueueConnection,
  RedisConversations,
  RedisJournal,
  RedisMemory,
  RedisToolCatalog,
} from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('what executors keep in Redis', () => {
  let connection: QueueConnection;
  const running = async (fields: Record<string, string> = {}): Promise<TurnId> => {
    const turnId = `t-${randomUUID().slice(0, 8)}` as TurnId;
    await connection.redis.hset(connection.keys.turn(turnId).meta, { status: 'running', ...fields });
    return turnId;
  };
  beforeAll(async () => {
    connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
  });
  afterAll(async () => {
    await connection.close();
    await redis?.stop();
  });

  describe('RedisJournal', () => {
    it('gives the rounds that were kept first, with what was decided then, and keeps none for an ended turn', async () => {
      const journal = new RedisJournal(connection);
      const turnId = await running();
      const round = (memo: string) => ({ event: { type: 'start' as const, vars: {} }, memo });
      expect(await journal.save(turnId, '0.journal', 0, round('a'), 'go')).toBe('go');
      expect(await journal.save(turnId, '0.journal', 0, round('A'), 'stop')).toBe('go');
      expect(await journal.save(turnId, '0.journal', 1, round('b'), 'end')).toBe('end');
      expect(await journal.save(turnId, '0.journal', 0, round('late'), 'stop')).toBe('stop');
      expect(await journal.load(turnId, '0.journal', 2)).toEqual([round('a'), round('b')]);
      expect(await journal.load(turnId, '0.journal', 1)).toEqual([round('a')]);
      expect(await journal.load(turnId, '1.journal', 2)).toEqual([]);
      await connection.redis.hset(connection.keys.turn(turnId).meta, { status: 'completed' });
      await journal.save(turnId, '0.journal', 2, round('late'), 'go');
      expect(await journal.load(turnId, '0.journal', 3)).toEqual([round('a'), round('b')]);
    });

    it('shares nothing with a conversation of the same name', async () => {
      const turnId = await running();
      await new RedisConversations(connection).save(turnId, '0', 0, ['hello']);
      expect(await new RedisJournal(connection).load(turnId, '0', 1)).toEqual([]);
    });
  });

  describe('RedisMemory', () => {
    it('gives a value back whole, and the same handle for the same job', async () => {
      const memory = new RedisMemory(connection);
      const turnId = await running();
      const text = 'ü'.repeat(100_000);
      const handle = await memory.put(turnId, `${turnId}.0.c`, 'first');
      expect(await memory.put(turnId, `${turnId}.0.c`, text)).toBe(handle);
      expect(handle).toMatch(/^[a-z0-9-]{1,40}$/);
      expect(await memory.get(turnId, handle)).toEqual({ found: true, text });
      expect(await memory.get(turnId, 'm-unknown')).toEqual({ found: false });
    });

    it('keeps the values of a turn from other turns', async () => {
      const memory = new RedisMemory(connection);
      const mine = await running();
      const handle = await memory.put(mine, `${mine}.0.c`, 'secret');
      expect(await memory.get(await running(), handle)).toEqual({ found: false });
    });

    it('shares values along a chain of delegations, both ways', async () => {
      const memory = new RedisMemory(connection);
      const root = await running();
      const child = await running({ root });
      const fromParent = await memory.put(root, `${root}.0.c`, 'a task');
      const fromChild = await memory.put(child, `${child}.0.c`, 'an answer');
      expect(await memory.get(child, fromParent)).toEqual({ found: true, text: 'a task' });
      expect(await memory.get(root, fromChild)).toEqual({ found: true, text: 'an answer' });
    });

    it('refuses with MEMORY_FULL what would be over the limit of the chain of turns, and keeps the rest', async () => {
      const memory = new RedisMemory(connection, 100);
      const root = await running();
      const child = await running({ root });
      const first = await memory.put(root, `${root}.0.c`, 'é'.repeat(30));
      await expect(memory.put(child, `${child}.0.c`, 'z'.repeat(41))).rejects.toMatchObject({
        code: 'MEMORY_FULL',
        message: expect.stringMatching(/of 41 bytes .* have 60 bytes and may have 100\..*memory\.max_bytes/),
      });
      await memory.put(child, `${child}.1.c`, 'z'.repeat(40));
      // A repeated job replaces its value, and is counted once.
      expect(await memory.put(root, `${root}.0.c`, 'y'.repeat(60))).toBe(first);
      await expect(memory.put(root, `${root}.0.c`, 'y'.repeat(61))).rejects.toMatchObject({
        code: 'MEMORY_FULL',
        details: { heldBytes: 100, addedBytes: 61, maxBytes: 100 },
      });
      await expect(memory.put(root, `${root}.1.c`, 'y'.repeat(101))).rejects.toMatchObject({
        details: { heldBytes: 100, addedBytes: 101, maxBytes: 100 },
      });
      expect(await memory.get(root, first)).toEqual({ found: true, text: 'y'.repeat(60) });
      expect(await connection.redis.hlen(connection.keys.turn(root).memory)).toBe(3);
    });

    it('counts at once what several workers put at the same time', async () => {
      const other = await connect({ url: redis!.url, prefix: connection.keys.prefix });
      const stores = [new RedisMemory(connection, 1000), new RedisMemory(other, 1000)];
      const turnId = await running();
      const puts = Array.from({ length: 40 }, (_, index) =>
        stores[index % 2]!.put(turnId, `${turnId}.${index}.c`, 'x'.repeat(100)),
      );
      const settled = await Promise.allSettled(puts);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      await other.close();
    });

    it('does not take its own count for a value', async () => {
      const memory = new RedisMemory(connection);
      const turnId = await running();
      await memory.put(turnId, `${turnId}.0.c`, 'value');
      const fields = await connection.redis.hkeys(connection.keys.turn(turnId).memory);
      for (const field of fields.filter((one) => !one.startsWith('m-')))
        expect(await memory.get(turnId, field)).toEqual({ found: false });
      expect(fields).toHaveLength(2);
    });

    it('writes nothing for a turn that has ended: nobody would ever delete it', async () => {
      const turnId = await running({ status: 'cancelled' });
      await new RedisMemory(connection).put(turnId, `${turnId}.0.c`, 'late');
      expect(await connection.redis.exists(connection.keys.turn(turnId).memory)).toBe(0);
    });
  });

  describe('RedisConversations', () => {
    it('gives the messages of the rounds before, and not what an earlier run left of a later one', async () => {
      const turnId = await running();
      const conversations = new RedisConversations<{ text: string }>(connection);
      await conversations.save(turnId, '0.g0', 0, [{ text: 'question' }, { text: 'answer' }]);
      await conversations.save(turnId, '0.g0', 1, [{ text: 'replaced' }]);
      await conversations.save(turnId, '0.g0', 1, [{ text: 'reply' }]);
      await conversations.save(turnId, '1.g0', 0, [{ text: 'of another step' }]);
      expect(await conversations.load(turnId, '0.g0', 0)).toEqual([]);
      expect(await conversations.load(turnId, '0.g0', 1)).toEqual([{ text: 'question' }, { text: 'answer' }]);
      const all = [{ text: 'question' }, { text: 'answer' }, { text: 'reply' }];
      expect(await conversations.load(turnId, '0.g0', 2)).toEqual(all);
      expect(await conversations.load(turnId, '0.g0', 3)).toEqual(all);
    });
  });

  describe('RedisToolCatalog', () => {
    it('gives the tools of several servers in the order they were asked for', async () => {
      const catalog = new RedisToolCatalog<{ tool: string }>(connection);
      await catalog.publish('oven', { tools: [{ tool: 'bake' }], effects: { bake: 'once' } });
      await catalog.publish('mill', { tools: [{ tool: 'grind' }], effects: { grind: 'read' } });
      expect(await catalog.describeTools(['mill', 'oven'])).toEqual([{ tool: 'grind' }, { tool: 'bake' }]);
      expect((await catalog.find('mill'))?.effects).toEqual({ grind: 'read' });
    });

    it('fails so that it is tried again while no worker of a server has come up', async () => {
      const catalog = new RedisToolCatalog(connection);
      await expect(catalog.describeTools(['nowhere'])).rejects.toMatchObject({
        code: 'SERVER_UNAVAILABLE',
        kind: 'retryable',
      });
    });
  });
});
