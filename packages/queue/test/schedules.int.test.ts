import { randomUUID } from 'node:crypto';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connect,
  type DueFiring,
  type QueueConnection,
  Schedules,
  startSchedulesWorker,
} from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('schedules', () => {
  let connection: QueueConnection;
  let schedules: Schedules;
  beforeAll(async () => {
    connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    schedules = new Schedules(connection);
  });
  afterAll(async () => {
    await schedules.close();
    await connection.close();
    await redis?.stop();
  });

  const put = (scheduleId: string, cron: string, input = ''): Promise<unknown> =>
    schedules.put({
      scheduleId,
      tenant: 'ada',
      cron,
      timezone: 'UTC',
      turn: { skill: { name: 'chime' }, input },
      createdBy: 'me',
      roles: [],
    });

  it('make up once for the times at which nothing ran', async () => {
    await put('tick', '* * * * * *');
    const putAtMs = Date.now();
    await until(() => Date.now() > putAtMs + 3500 || undefined, 5000, 'three times are missed');
    const fired: DueFiring[] = [];
    const startedAtMs = Date.now();
    const worker = await startSchedulesWorker({
      connection,
      lockMs: 5000,
      fire: async (firing) => void fired.push(firing),
      onError: () => {},
    });
    await until(() => fired.length >= 3 || undefined, 10_000, 'three firings');
    await worker.close();
    const [missed, ...others] = fired.map(({ atMs }) => atMs);
    expect(missed).toBeLessThan(putAtMs + 1500);
    for (const atMs of others) expect(atMs).toBeGreaterThan(startedAtMs - 1000);
    expect(new Set(fired.map(({ turnId }) => turnId)).size).toBe(fired.length);
    expect(await schedules.delete('ada', 'tick')).toBe(true);
    expect(await schedules.delete('ada', 'tick')).toBe(false);
  });

  it('are at most 100 of a tenant, and each of them may be changed', async () => {
    for (let index = 0; index < 100; index++) await put(`s${index}`, '0 7 * * *');
    await expect(put('one-more', '0 7 * * *')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await put('s7', '0 8 * * *');
    const all = await schedules.list('ada');
    expect(all).toHaveLength(100);
    const changed = all.find(({ scheduleId }) => scheduleId === 's7');
    expect(new Date(changed?.nextAtMs ?? 0).toISOString()).toMatch(/T08:00:00/);
  });

  it('are small, because all of a tenant are listed together', async () => {
    await expect(put('s1', '0 7 * * *', 'x'.repeat(65_536))).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('65536 bytes') as string,
    });
  });
});
