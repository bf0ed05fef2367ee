import { randomUUID } from 'node:crypto';
import type { ApiKeyRequest } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiKeys, AuditLog, connect, type QueueConnection, RequestRates } from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();
let connection: QueueConnection;
afterAll(() => redis?.stop());
beforeEach(async () => {
  connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
});
afterEach(() => connection.close());

const WANTED: ApiKeyRequest = { tenant: 'acme', name: 'nightly', scopes: ['submit'], roles: ['baker'] };

describe.skipIf(redis === undefined)('ApiKeys', () => {
  it('know whose key it is, and Redis holds nothing that could be used as one', async () => {
    const keys = new ApiKeys(connection);
    const { key, secret } = await keys.create(WANTED, 'anna');
    expect(await keys.verify(secret)).toEqual({
      tenant: 'acme',
      subject: `key:${key.keyId}`,
      scopes: ['submit'],
      roles: ['baker'],
    });
    const stored = JSON.stringify(await connection.redis.hgetall(connection.keys.apiKeys));
    expect(stored).toContain(key.keyId);
    expect(stored).not.toContain(secret.split('_').slice(2).join('_'));
    expect(JSON.stringify(await keys.list('acme'))).not.toContain('hash');
  });

  it('refuse what is nearly a key', async () => {
    const keys = new ApiKeys(connection);
    const { key, secret } = await keys.create(WANTED, 'anna');
    const other = await keys.create(WANTED, 'anna');
    const swapped = `sky_${key.keyId}_${other.secret.split('_').slice(2).join('_')}`;
    const flipped = `${secret.slice(0, -2)}${secret.at(-2) === 'A' ? 'B' : 'A'}${secret.at(-1) ?? ''}`;
    const texts = ['', 'sky_', key.keyId, `${secret}x`, ` ${secret}`, swapped, flipped, 'sky_nobody_x'];
    const taken = await Promise.all(texts.map((text) => keys.verify(text)));
    expect(taken.filter((caller) => caller !== null)).toEqual([]);
  });

  it('end when they expire, and when they are revoked, for every process at once', async () => {
    let now = 1000;
    const keys = new ApiKeys(connection, () => now);
    const elsewhere = new ApiKeys(connection, () => now);
    const short = await keys.create({ ...WANTED, expiresAtMs: 2000 }, 'anna');
    const long = await keys.create(WANTED, 'anna');
    now = 1999;
    expect(await elsewhere.verify(short.secret)).not.toBeNull();
    now = 2000;
    expect(await elsewhere.verify(short.secret)).toBeNull();
    expect(await elsewhere.verify(long.secret)).not.toBeNull();
    await keys.revoke(long.key.keyId, 'acme');
    expect(await elsewhere.verify(long.secret)).toBeNull();
    await expect(keys.create({ ...WANTED, expiresAtMs: 2000 }, 'anna')).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('are listed and revoked by their tenant, or by who acts for all', async () => {
    const keys = new ApiKeys(connection);
    const mine = await keys.create(WANTED, 'anna');
    const yours = await keys.create({ ...WANTED, tenant: 'zoo' }, 'ben');
    expect((await keys.list('acme')).map(({ keyId }) => keyId)).toEqual([mine.key.keyId]);
    expect(await keys.list('*')).toHaveLength(2);
    await expect(keys.revoke(yours.key.keyId, 'acme')).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
    expect(await keys.verify(yours.secret)).not.toBeNull();
    await keys.revoke(yours.key.keyId, '*');
    expect(await keys.verify(yours.secret)).toBeNull();
  });

  it('are a thousand of a tenant at most, and expired ones make room', async () => {
    let now = 1000;
    const keys = new ApiKeys(connection, () => now);
    const { key } = await keys.create({ ...WANTED, expiresAtMs: 5000 }, 'anna');
    const json = (await connection.redis.hget(connection.keys.apiKeys, key.keyId)) ?? '';
    const more = Array.from({ length: 999 }, (_, index) => [
      `k${index}`,
      JSON.stringify({ ...(JSON.parse(json) as object), keyId: `k${index}`, expiresAtMs: null }),
    ]);
    await connection.redis.hset(connection.keys.apiKeys, ...more.flat());
    await expect(keys.create(WANTED, 'anna')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await keys.create({ ...WANTED, tenant: 'zoo' }, 'anna');
    now = 5000;
    await keys.create(WANTED, 'anna');
    expect((await keys.list('acme')).some(({ keyId }) => keyId === key.keyId)).toBe(false);
  });
});

describe.skipIf(redis === undefined)('RequestRates', () => {
  it('let a minute of requests through at once, then one after the other, counted over all processes', async () => {
    const [one, other] = [new RequestRates(connection), new RequestRates(connection)];
    const startedAtMs = Date.now();
    const replies = await Promise.all(
      Array.from({ length: 90 }, (_, index) => (index % 2 === 0 ? one : other).take('acme', 60)),
    );
    // One more for each second that this took, on a busy machine.
    const more = Math.ceil((Date.now() - startedAtMs) / 1000);
    const passed = replies.filter(({ ok }) => ok).length;
    expect(passed).toBeGreaterThanOrEqual(60);
    expect(passed).toBeLessThanOrEqual(60 + more);
    const refused = await until(
      async () => {
        const reply = await one.take('acme', 60);
        return reply.ok ? undefined : reply;
      },
      5000,
      'a refusal',
    );
    expect(refused.retryAfterMs).toBeGreaterThan(0);
    expect(refused.retryAfterMs).toBeLessThanOrEqual(1000);
    await until(async () => (await one.take('acme', 60)).ok, 5000, 'the next request');
  });

  it('count each tenant for itself, and forget one that is quiet', async () => {
    const rates = new RequestRates(connection);
    expect(await rates.take('acme', 1)).toEqual({ ok: true, retryAfterMs: 0 });
    const { ok, retryAfterMs } = await rates.take('acme', 1);
    expect(ok).toBe(false);
    expect(retryAfterMs).toBeGreaterThan(59_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    expect((await rates.take('zoo', 1)).ok).toBe(true);
    const left = await connection.redis.pttl(connection.keys.requests('acme'));
    expect(left).toBeGreaterThan(59_000);
    expect(left).toBeLessThanOrEqual(60_001);
  });
});

describe.skipIf(redis === undefined)('AuditLog', () => {
  const entry = {
    atMs: 1,
    tenant: 'acme',
    subject: 'key:k',
    operation: 'createKey',
    target: '',
    status: 201,
  };

  it('lists the entries of a tenant page by page, the latest first, and those of all', async () => {
    const log = new AuditLog(connection);
    for (const target of ['a', 'b', 'c']) await log.record({ ...entry, target });
    await log.record({ ...entry, tenant: 'zoo', target: 'd' });
    await log.record({ ...entry, tenant: '*', target: 'e' });
    const first = await log.list({ tenant: 'acme', limit: 2 });
    expect(first.entries.map(({ target }) => target)).toEqual(['c', 'b']);
    const second = await log.list({ tenant: 'acme', limit: 2, cursor: first.next });
    expect(second.entries.map(({ target }) => target)).toEqual(['a']);
    expect(second.next).toBeNull();
    const all = await log.list({ tenant: '*' });
    expect(all.entries.map(({ target }) => target)).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(all.entries[4]).toEqual({ ...entry, target: 'a', id: expect.any(String) as string });
  });

  it('refuses a cursor that is none of ours with INPUT_INVALID', async () => {
    await expect(new AuditLog(connection).list({ tenant: 'acme', cursor: '+ inf' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });
});
