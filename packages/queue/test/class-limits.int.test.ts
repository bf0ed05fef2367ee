import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { Queue } from 'bullmq';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ExecuteJob } from '../src/index.ts';
import { openRig, type WorkerRig } from './worker-rig.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('a class of workers', () => {
  let rig: WorkerRig;
  afterEach(async () => rig.close());
  afterAll(async () => redis?.stop());

  const done: ExecuteJob = ({ id }) => ({ jobId: id, status: 'ok', text: '' });

  it('runs no more jobs at once than its global concurrency, however many workers there are', async () => {
    rig = await openRig(redis!.url);
    const waiting = new Set<() => void>();
    let running = 0;
    let most = 0;
    const execute: ExecuteJob = async ({ id }) => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => waiting.add(resolve));
      running--;
      return { jobId: id, status: 'ok', text: '' };
    };
    const limits = { globalConcurrency: 3 };
    await rig.work({ execute, concurrency: 4, limits });
    await rig.work({ execute, concurrency: 4, limits });
    const jobs = await Promise.all(Array.from({ length: 12 }, () => rig.ask()));
    let finished = 0;
    while (finished < jobs.length) {
      await until(() => waiting.size === Math.min(3, jobs.length - finished), 10_000, 'every place is taken');
      for (const finish of waiting) finish();
      finished += waiting.size;
      waiting.clear();
    }
    for (const jobId of jobs) await rig.posted(jobId);
    expect(most).toBe(3);
  });

  it('starts no more jobs per period than its rate, however many workers there are', async () => {
    rig = await openRig(redis!.url);
    const jobs = await Promise.all(Array.from({ length: 9 }, () => rig.ask()));
    const limits = { rate: { jobs: 4, perMs: 3_600_000 } };
    await rig.work({ execute: done, limits });
    await rig.work({ execute: done, limits });
    const prefix = rig.connection.keys.queuePrefix('tool.mill');
    const queue = new Queue('tool.mill', { connection: rig.connection.redis, prefix });
    await until(async () => (await queue.getRateLimitTtl(4)) > 0, 10_000, 'the limit is reached');
    await until(
      async () => {
        const { active = 0, waiting = 0 } = await queue.getJobCounts('active', 'waiting');
        return active === 0 && waiting === 5;
      },
      10_000,
      'four are done and five wait',
    );
    const results = await Promise.all(jobs.map((jobId) => rig.results(jobId)));
    expect(results.flat()).toHaveLength(4);
    await queue.close();
  });

  it('takes jobs by their priority, and those without one as they came', async () => {
    const places: Record<string, number> = { salt: 2, bread: 1 };
    rig = await openRig(redis!.url, {
      priorityOf: (job) => (job.kind === 'call' ? (places[job.tool] ?? 1001) : undefined),
    });
    for (const tool of ['dust', 'salt', 'bread', 'salt', 'bread']) await rig.ask('read', { tool });
    const order: string[] = [];
    await rig.work({
      concurrency: 1,
      execute: (job) => {
        if (job.kind === 'call') order.push(job.tool);
        return { jobId: job.id, status: 'ok', text: '' };
      },
    });
    await until(() => order.length === 5);
    expect(order).toEqual(['bread', 'bread', 'salt', 'salt', 'dust']);
  });
});
