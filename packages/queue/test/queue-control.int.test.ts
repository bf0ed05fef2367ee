import { type RedisServer, startRedis, until } from '@skillyard/testing';
import type { JobId, QueueResource } from '@skillyard/contracts';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailedJobs, QueueControl } from '../src/index.ts';
import { HeldJobs } from '../src/tenants/held-jobs.ts';
import { openRig, type WorkerRig } from './worker-rig.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('the queues of the classes', () => {
  let rig: WorkerRig;
  let queues: QueueControl;
  beforeEach(async () => {
    rig = await openRig(redis!.url);
    queues = new QueueControl(rig.connection);
  });
  afterEach(() => rig.close());
  afterAll(async () => redis?.stop());

  const mill = async (): Promise<QueueResource> => {
    const [queue] = await queues.list(['mill']);
    if (queue === undefined) throw new Error('a class that is asked for is in the list');
    return queue;
  };
  const EMPTY = {
    paused: false,
    waiting: 0,
    delayed: 0,
    active: 0,
    failed: 0,
    workers: 0,
    concurrency: null,
    rateLimitedForMs: 0,
    donePerMinute: 0,
  };

  it('are listed in the order in which they are asked for, those that nobody has used included', async () => {
    expect(await queues.list(['model', 'mill'])).toEqual([
      { class: 'model', ...EMPTY },
      { class: 'mill', ...EMPTY },
    ]);
  });

  it('say how many jobs wait, are held back, are under way, wait for another attempt, and failed', async () => {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    await rig.work({
      concurrency: 2,
      limits: { globalConcurrency: 2 },
      retries: { delayMs: 60_000, maxDelayMs: 60_000 },
      execute: async (job) => {
        const error = { code: 'SERVER_UNAVAILABLE', message: 'the mill is shut' };
        if (job.step === 'fails') return { jobId: job.id, status: 'error', text: '', error };
        await opened;
        return { jobId: job.id, status: 'ok', text: '' };
      },
    });
    const failing = await rig.ask('read', { step: 'fails' });
    await rig.noticed('job.retried', failing);
    const asked = [];
    for (let at = 0; at < 5; at++) asked.push(await rig.ask());
    const acme = new Map([['acme', { held: 7, inFlight: 1 }]]);
    await new HeldJobs(rig.connection).write('tool.mill', 'orchestrator-1', acme);
    await new FailedJobs(rig.connection).record([
      {
        jobId: 'old.0.c' as JobId,
        path: '0',
        step: '',
        kind: 'call',
        target: 'mill:grind',
        queue: 'tool.mill',
        status: 'error',
        code: 'TOOL_FAILED',
        message: '',
        atMs: 1,
        worker: null,
        attempts: 1,
      },
    ]);
    const busy = await until(
      async () => {
        const queue = await mill();
        return queue.active === 2 && queue.delayed === 1 ? queue : undefined;
      },
      5000,
      'two jobs under way',
    );
    expect(busy).toMatchObject({ waiting: 3 + 7, failed: 1, workers: 1, concurrency: 2, paused: false });
    open();
    for (const jobId of asked) await rig.posted(jobId);
    const rate = await until(async () => (await mill()).donePerMinute || undefined, 5000, 'a rate');
    expect(rate).toBeGreaterThan(0);
    expect(rate).toBeLessThanOrEqual(5);
  });

  it('say for how long a rate holds them, once it does', async () => {
    const limits = { rate: { jobs: 2, perMs: 60_000 } };
    await rig.work({ limits, execute: (job) => ({ jobId: job.id, status: 'ok', text: '' }) });
    await rig.posted(await rig.ask());
    expect((await mill()).rateLimitedForMs).toBe(0);
    await rig.posted(await rig.ask());
    const { rateLimitedForMs } = await mill();
    expect(rateLimitedForMs).toBeGreaterThan(0);
    expect(rateLimitedForMs).toBeLessThanOrEqual(60_000);
  });

  it('are held by a pause, in which no job is taken, and go on with everything after it', async () => {
    await rig.work({ execute: (job) => ({ jobId: job.id, status: 'ok', text: '' }) });
    await rig.posted(await rig.ask());
    await queues.pause('mill');
    const asked = [await rig.ask(), await rig.ask()];
    // A worker that did not know of the pause would have taken them by one of these round trips.
    for (let trip = 0; trip < 50; trip++)
      expect(await mill()).toMatchObject({ paused: true, waiting: 2, active: 0 });
    await queues.resume('mill');
    for (const jobId of asked) await rig.posted(jobId);
    expect(await mill()).toMatchObject({ paused: false, waiting: 0 });
  });
});
