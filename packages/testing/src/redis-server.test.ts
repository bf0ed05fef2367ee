import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RedisServer } from './redis.ts';
import { startRedisProcess } from './redis-process.ts';
import { startRedis } from './redis-server.ts';

let server: RedisServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
  vi.unstubAllEnvs();
});

async function command(url: string, work: (redis: Redis) => Promise<unknown>): Promise<unknown> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

describe('startRedis', () => {
  it('keeps what was written over a kill when it appends every command', async ({ skip }) => {
    server = await startRedis({ appendOnly: true, owned: true });
    if (server === undefined) return skip('no redis-server here');
    const { url } = server;
    expect(await command(url, (redis) => redis.set('grain', 'rye'))).toBe('OK');
    await server.kill();
    await expect(command(url, (redis) => redis.get('grain'))).rejects.toThrow();
    await server.restart();
    expect(await command(url, (redis) => redis.get('grain'))).toBe('rye');
  });

  it('is stopped even when it is paused', async ({ skip }) => {
    server = await startRedis({ owned: true });
    if (server === undefined) return skip('no redis-server here');
    await server.pause();
    await server.stop();
    await expect(command(server.url, (redis) => redis.ping())).rejects.toThrow();
  });

  it('uses the one that REDIS_URL names, and does not let it be killed', async () => {
    vi.stubEnv('REDIS_URL', 'redis://somewhere:6379');
    server = await startRedis();
    expect(server).toMatchObject({ url: 'redis://somewhere:6379', owned: false });
    await expect(server?.kill()).rejects.toThrow(/not ours/);
  });

  it('gives undefined with a loud line when there is none, and throws under CI', async () => {
    vi.stubEnv('REDIS_URL', '');
    vi.stubEnv('REDIS_SERVER_BIN', 'no-such-redis-server');
    vi.stubEnv('CI', '');
    const loud = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const noDocker = (): Promise<never> => Promise.reject(new Error('no Docker'));
    expect(await startRedis({}, [startRedisProcess, noDocker])).toBeUndefined();
    expect(loud.mock.calls.flat().join('')).toMatch(/!!! NO REDIS: .*no-such-redis-server.*; no Docker/);
    vi.stubEnv('CI', 'true');
    await expect(startRedis({}, [startRedisProcess, noDocker])).rejects.toThrow(/NO REDIS/);
  });
});
