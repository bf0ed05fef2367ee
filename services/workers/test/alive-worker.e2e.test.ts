import { fileURLToPath } from 'node:url';
import { type RedisServer, startRedis, startTcpProxy } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkerProcesses, type WorkerProcesses } from './worker-processes.ts';

const redis: RedisServer | undefined = await startRedis();
const BUSY = fileURLToPath(new URL('busy-worker.ts', import.meta.url));
/** What is promised: work goes on so soon after a connection has broken without a word. */
const RESUMED_MS = 15_000;

describe.skipIf(redis === undefined)('a worker process that looks dead', () => {
  let workers: WorkerProcesses;
  beforeEach(async () => {
    workers = await openWorkerProcesses(redis!.url);
  });
  afterEach(async () => workers.close());
  afterAll(async () => redis?.stop());

  it('busy for longer than its lock: it is alive, and nobody does its work again', async () => {
    const busy = await workers.launch(['mill'], { script: BUSY });
    const jobId = await workers.call('once');
    await workers.started(jobId);
    const other = await workers.launch(['mill']);
    // The lock has run out, the other one has the ticket, and sees that it must not touch the job.
    await other.wrote('job.held');
    await workers.open();
    const results = await workers.results(jobId);
    expect(results).toMatchObject([{ status: 'ok', text: 'done' }]);
    // The ticket was put back; whoever takes it next finds that there is nothing left to do.
    await Promise.any([busy.wrote('job.skipped'), other.wrote('job.skipped')]);
    expect(await workers.results(jobId)).toHaveLength(1);
    expect(await workers.lines(jobId)).toEqual(['start', 'end']);
    expect(await workers.noticed(jobId)).toEqual([]);
  }, 60_000);

  it('behind half-open connections: it connects anew, goes on within 15 s, and no effect is doubled', async () => {
    const proxy = await startTcpProxy(Number(new URL(redis!.url).port));
    try {
      await workers.launch(['mill'], { redisUrl: `redis://127.0.0.1:${proxy.port}` });
      const underWay = await workers.call('once');
      await workers.started(underWay);
      const connections = proxy.open;
      proxy.freeze();
      const waiting = await workers.call('once');
      await workers.open();
      const [first, second] = await Promise.all([
        workers.results(underWay, RESUMED_MS),
        workers.results(waiting, RESUMED_MS),
      ]);
      expect(connections).toBeGreaterThan(1);
      expect([first, second]).toMatchObject([[{ status: 'ok' }], [{ status: 'ok' }]]);
      expect(await workers.lines(underWay)).toEqual(['start', 'end']);
      expect(await workers.lines(waiting)).toEqual(['start', 'end']);
      expect(await workers.noticed(underWay)).toEqual([]);
    } finally {
      await proxy.close();
    }
  }, 60_000);

  it('behind half-open connections, beside another worker: the call under way is not made again', async () => {
    const proxy = await startTcpProxy(Number(new URL(redis!.url).port));
    try {
      await workers.launch(['mill'], { redisUrl: `redis://127.0.0.1:${proxy.port}` });
      const underWay = await workers.call('once');
      await workers.started(underWay);
      const other = await workers.launch(['mill']);
      proxy.freeze();
      await other.wrote('job.held');
      await workers.open();
      expect(await workers.results(underWay, RESUMED_MS)).toMatchObject([{ status: 'ok' }]);
      expect(await workers.lines(underWay)).toEqual(['start', 'end']);
    } finally {
      await proxy.close();
    }
  }, 60_000);
});
