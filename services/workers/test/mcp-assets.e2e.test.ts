import { killHard, type RedisServer, startRedis, toolServerCommand } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkerProcesses, type WorkerProcesses } from './worker-processes.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('an asset of a tool server', () => {
  let workers: WorkerProcesses;
  beforeEach(async () => {
    const mill = { ...toolServerCommand(), class: 'grinding', effects: { gate: 'read' } } as const;
    workers = await openWorkerProcesses(redis!.url, { servers: { mill } });
  });
  afterEach(async () => workers.close());
  afterAll(async () => redis?.stop());

  it('is read by a worker process of the class, through a server of its own', async () => {
    await workers.launch(['grinding']);
    const flour = await workers.asset();
    await workers.started(flour);
    await workers.open();
    expect(await workers.results(flour)).toMatchObject([{ status: 'ok', text: 'done' }]);
    expect(await workers.lines(flour)).toEqual(['start', 'end']);
  });

  it('is read again when its worker is killed meanwhile', async () => {
    const victim = await workers.launch(['grinding']);
    const flour = await workers.asset();
    await workers.started(flour);
    await workers.launch(['grinding']);
    await killHard(victim);
    await workers.open();
    expect(await workers.results(flour)).toMatchObject([{ status: 'ok', text: 'done' }]);
    expect((await workers.lines(flour)).filter((line) => line === 'start')).toHaveLength(2);
    expect(await workers.noticed(flour)).toEqual(['taken-over']);
  }, 60_000);
});
