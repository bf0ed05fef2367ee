import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkerProcesses, type WorkerProcesses } from './worker-processes.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('a worker process that is told to end', () => {
  let workers: WorkerProcesses;
  beforeEach(async () => {
    workers = await openWorkerProcesses(redis!.url);
  });
  afterEach(async () => workers.close());
  afterAll(async () => redis?.stop());

  it('takes nothing more, finishes what is under way, and ends with 0', async () => {
    const worker = await workers.launch(['mill']);
    const underWay = await workers.call('once');
    await workers.started(underWay);
    worker.child.kill('SIGTERM');
    await worker.wrote('stopping');
    const next = await workers.call('once');
    await workers.open();
    expect(await worker.exited).toEqual({ code: 0, signal: null });
    expect(await workers.results(underWay)).toMatchObject([{ status: 'ok', text: 'done' }]);
    expect(await workers.lines(next)).toEqual([]);
    const { redis: client, keys } = workers.connection;
    await until(async () => (await client.keys(`${keys.prefix}:worker:*`)).length === 0, 1000, 'it is gone');
    await workers.launch(['mill']);
    expect(await workers.results(next)).toMatchObject([{ status: 'ok' }]);
  }, 60_000);

  it('ends at once when it is told twice', async () => {
    const worker = await workers.launch(['mill']);
    const underWay = await workers.call('once');
    await workers.started(underWay);
    worker.child.kill('SIGTERM');
    await worker.wrote('stopping');
    worker.child.kill('SIGTERM');
    const { code } = await worker.exited;
    expect(code).not.toBe(0);
    expect(await workers.lines(underWay)).toEqual(['start']);
  }, 60_000);
});
