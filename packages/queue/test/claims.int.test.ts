import { type JobId, turnOfJob } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, startHeartbeat } from '../src/index.ts';
import { openRig, type WorkerRig } from './worker-rig.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('a job that somebody holds', () => {
  let rig: WorkerRig;
  beforeEach(async () => {
    rig = await openRig(redis!.url);
  });
  afterEach(async () => rig.close());
  afterAll(async () => redis?.stop());

  const claimsOf = (jobId: JobId): string => rig.connection.keys.turn(turnOfJob(jobId)).claims;
  /** Makes a job look as if a worker had started it. */
  const hold = async (jobId: JobId, worker: string, lost = 0): Promise<void> => {
    await rig.connection.redis.hset(claimsOf(jobId), jobId, `${worker} 7 ${lost}`);
  };
  const keepAlive = (worker: string): Promise<unknown> =>
    rig.connection.redis.set(rig.connection.keys.worker(worker), '1', 'PX', 60_000);

  it('is left alone while its worker lives, and run by another when it does not any more (W2)', async () => {
    const jobId = await rig.ask('read');
    await hold(jobId, 'slow.worker');
    await keepAlive('slow.worker');
    let runs = 0;
    await rig.work({ execute: ({ id }) => ({ jobId: id, status: 'ok', text: String(++runs) }) });
    const looks = (): number => rig.notices.filter(({ type }) => type === 'job.held').length;
    await until(() => looks() > 5, 10_000, 'it is looked at again and again');
    expect(runs).toBe(0);
    await rig.connection.redis.del(rig.connection.keys.worker('slow.worker'));
    expect(await rig.posted(jobId)).toMatchObject({ status: 'ok', text: '1' });
    expect(await rig.trace(jobId)).toMatchObject([
      { type: 'job.noticed', what: 'taken-over', path: '0', jobId, worker: 'slow.worker' },
    ]);
  });

  it('is lost, once, when its worker is dead and it must not run twice (Q6)', async () => {
    const jobId = await rig.ask('once');
    await hold(jobId, 'dead.worker');
    await rig.work({ execute: () => Promise.reject(new Error('it was run')) });
    const result = await rig.posted(jobId);
    expect(result).toMatchObject({ status: 'lost', error: { code: 'STEP_LOST' } });
    expect(result.error?.message).toMatch(/^lost: .*not heard of any more/);
    expect(await rig.trace(jobId)).toMatchObject([{ what: 'lost', worker: 'dead.worker' }]);
    const { keys, redis: commands } = rig.connection;
    const ticket = `${keys.queuePrefix('tool.mill')}:tool.mill:${jobId}`;
    await until(async () => (await commands.exists(ticket)) === 0, 5000, 'the ticket is completed');
    expect(await rig.results(jobId)).toHaveLength(1);
  });

  it('is given up when it has lost too many workers', async () => {
    const jobId = await rig.ask('read');
    await hold(jobId, 'dead.worker', 3);
    await rig.work({ execute: () => Promise.reject(new Error('it was run')) });
    expect((await rig.posted(jobId)).error?.message).toContain('given up after 4 workers');
  });

  it('is not judged by a worker that was out of touch itself (H2)', async () => {
    const other = await connect({ url: redis!.url, prefix: rig.connection.keys.prefix });
    const heartbeat = await startHeartbeat({ connection: other, ttlMs: 60_000 });
    expect(await heartbeat.provesDead('dead.worker')).toBe(false);
    await heartbeat.close();
    expect(await rig.connection.redis.exists(rig.connection.keys.worker(heartbeat.worker))).toBe(0);
    await other.close();
  });

  it('drops a result that comes after the claim has gone to another, and says so (W3)', async () => {
    const jobId = await rig.ask('once');
    let finish: (() => void) | undefined;
    await rig.work({
      execute: ({ id }) =>
        new Promise((resolve) => {
          finish = () => resolve({ jobId: id, status: 'ok', text: 'paid' });
        }),
    });
    const pay = await until(() => finish);
    const { redis: client, keys } = rig.connection;
    const [worker = ''] = ((await client.hget(claimsOf(jobId), jobId)) ?? '').split(' ');
    // It is not heard of for a moment, and somebody takes the job over.
    await client.del(keys.worker(worker));
    await hold(jobId, 'other.worker', 1);
    await keepAlive('other.worker');
    await until(() => client.exists(keys.worker(worker)), 5000, 'it is heard of again');
    pay();
    await rig.noticed('job.late', jobId);
    await until(async () => (await rig.trace(jobId)).length > 0);
    expect(await rig.trace(jobId)).toMatchObject([{ what: 'late', worker }]);
    expect(await rig.results(jobId)).toEqual([]);
    expect(await client.hget(claimsOf(jobId), jobId)).toBe('other.worker 7 1');
  });

  it('tells the trace of each retry', async () => {
    const jobId = await rig.ask('read');
    let attempt = 0;
    const error = { code: 'MODEL_UNAVAILABLE', message: 'the endpoint is overloaded (429)' };
    await rig.work({
      retries: { delayMs: 5, maxDelayMs: 10 },
      execute: ({ id }) =>
        ++attempt < 3
          ? { jobId: id, status: 'error', text: '', error }
          : { jobId: id, status: 'ok', text: 'flour' },
    });
    expect(await rig.posted(jobId)).toMatchObject({ text: 'flour' });
    const reason = 'MODEL_UNAVAILABLE: the endpoint is overloaded (429)';
    expect(await rig.trace(jobId)).toMatchObject([
      { what: 'retried', attempt: 1, reason },
      { what: 'retried', attempt: 2, reason },
    ]);
  });
});
