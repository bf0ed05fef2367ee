import { type JobId, type StepResult } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecuteJob } from '../src/index.ts';
import { openRig, type WorkerRig } from './worker-rig.ts';

const redis: RedisServer | undefined = await startRedis();
const HOUR_MS = 3_600_000;

describe.skipIf(redis === undefined)('the timeout of a step over queues', () => {
  let rig: WorkerRig;
  let tickets: Queue;
  beforeEach(async () => {
    rig = await openRig(redis!.url);
    const prefix = rig.connection.keys.queuePrefix('tool.mill');
    tickets = new Queue('tool.mill', { connection: { url: redis!.url }, prefix });
  });
  afterEach(async () => {
    await tickets.close();
    await rig.close();
  });
  afterAll(() => redis?.stop());

  const unavailable = (jobId: JobId, retryAfterMs: number): StepResult => {
    const error = { code: 'SERVER_UNAVAILABLE', message: 'not up yet', retryAfterMs };
    return { jobId, status: 'error', text: '', sent: false, error };
  };
  /** When the first attempt at a job began, as its ticket says. */
  const startOf = (jobId: JobId): Promise<number> =>
    until(async () => (await tickets.getJob(jobId))?.data.startedAtMs as number | undefined);

  it('is not spent by waiting for a worker', async () => {
    const jobId = await rig.ask('read', { timeoutMs: 60_000 });
    const ticket = await tickets.getJob(jobId);
    expect(ticket?.data).toEqual({ effect: 'read' });
    await rig.work({ execute: ({ id }) => ({ jobId: id, status: 'ok', text: 'flour' }) });
    expect(await rig.posted(jobId)).toMatchObject({ status: 'ok' });
  });

  it('counts from the first attempt, whichever worker makes the next one', async () => {
    const jobId = await rig.ask('read', { timeoutMs: 60_000 });
    const hang: ExecuteJob = (job, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ jobId: job.id, status: 'error', text: '' }));
      });
    const leaving = await rig.work({ execute: hang });
    const startedAtMs = await startOf(jobId);
    await leaving.close(0);
    expect(await startOf(jobId)).toBe(startedAtMs);
    // As if the job had changed hands an hour later.
    const ticket = await tickets.getJob(jobId);
    await ticket!.updateData({ ...ticket!.data, startedAtMs: startedAtMs - HOUR_MS });
    await rig.work({ execute: ({ id }) => ({ jobId: id, status: 'ok', text: 'much too late' }) });
    expect(await rig.posted(jobId)).toMatchObject({
      status: 'error',
      sent: false,
      error: { code: 'STEP_TIMEOUT' },
    });
  });

  it('is shared by all attempts', async () => {
    const jobId = await rig.ask('read', { timeoutMs: 60_000 });
    let attempts = 0;
    const execute: ExecuteJob = ({ id }) => {
      attempts += 1;
      return unavailable(id, 0);
    };
    const worker = await rig.work({ execute, retries: { delayMs: 20_000, maxDelayMs: 20_000 } });
    await rig.noticed('job.retried', jobId);
    const startedAtMs = await startOf(jobId);
    const ticket = await tickets.getJob(jobId);
    await ticket!.updateData({ ...ticket!.data, startedAtMs: startedAtMs - 55_000 });
    await until(async () => (await ticket!.getState()) === 'delayed');
    await ticket!.promote();
    // Of its time 5 s are left; the attempt after this one would come in 10 s at the soonest.
    expect(await rig.posted(jobId)).toMatchObject({ error: { code: 'SERVER_UNAVAILABLE' } });
    expect(attempts).toBe(2);
    await worker.close(0);
  });

  it('is not waited for when the next attempt could only begin after it', async () => {
    const jobId = await rig.ask('read', { timeoutMs: 60_000 });
    await rig.work({
      execute: ({ id }) => unavailable(id, HOUR_MS),
      retries: { delayMs: 5, maxDelayMs: HOUR_MS },
    });
    expect(await rig.posted(jobId)).toMatchObject({ error: { code: 'SERVER_UNAVAILABLE' } });
    expect(rig.notices.map(({ type }) => type)).not.toContain('job.retried');
  });

  it('costs a job without one nothing: its ticket stays as it was', async () => {
    const jobId = await rig.ask('read');
    await rig.work({
      execute: ({ id }) => unavailable(id, HOUR_MS),
      retries: { delayMs: 5, maxDelayMs: HOUR_MS },
    });
    await rig.noticed('job.retried', jobId);
    expect((await tickets.getJob(jobId))?.data).toEqual({ effect: 'read' });
  });
});
