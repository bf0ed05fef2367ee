import { freePort, type RedisServer, startRedis, until } from '@skillyard/testing';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { connect } from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis({ owned: true });

describe.skipIf(redis === undefined)('connect', () => {
  afterAll(async () => redis?.stop());

  it('fails at once with REDIS_UNAVAILABLE, the address and a way out, and without the password', async () => {
    const port = await freePort();
    const failure = await connect({ url: `redis://:open-sesame@127.0.0.1:${port}` }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    const { message } = failure as Error;
    expect(message).toContain(`127.0.0.1:${port}`);
    expect(message).toContain('ECONNREFUSED');
    expect(message).toContain('REDIS_URL');
    expect(message).not.toContain('sesame');
  });

  it('refuses a Redis that may throw turns away with REDIS_UNSUITABLE', async () => {
    const admin = new Redis(redis!.url);
    await admin.config('SET', 'maxmemory', '100mb');
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await expect(connect({ url: redis!.url })).rejects.toMatchObject({ code: 'REDIS_UNSUITABLE' });
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
  });

  it('warns of a Redis without an append-only file', async () => {
    const connection = await connect({ url: redis!.url });
    expect(connection.warnings.join()).toContain('appendonly');
    await connection.close();
  });

  it('waits for a Redis that is away, when it was told to, and fails otherwise', async () => {
    const errors: Error[] = [];
    const patient = await connect({ url: redis!.url, onError: (error) => errors.push(error) });
    const hasty = await connect({ url: redis!.url, whenAway: 'fail' });
    await redis!.kill();
    const waiting = patient.ping();
    await expect(hasty.ping()).rejects.toThrow();
    await redis!.restart();
    await waiting;
    await until(async () => hasty.ping().then(() => true), 10_000, 'the other connection is back too');
    expect(errors.length).toBeGreaterThan(0);
    await Promise.all([patient.close(), hasty.close()]);
  });
});
