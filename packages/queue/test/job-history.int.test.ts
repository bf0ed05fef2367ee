import { type JobId, type StepResult, turnOfJob } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HistoryWriter, JobHistory, type JobEnvelope } from '../src/index.ts';
import { openRig, type WorkerRig } from './worker-rig.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('the history of jobs', () => {
  let rig: WorkerRig;
  let history: JobHistory;
  let errors: Error[];
  beforeEach(async () => {
    rig = await openRig(redis!.url);
    history = new JobHistory(rig.connection);
    errors = [];
  });
  afterEach(async () => {
    await rig.close();
    expect(errors).toEqual([]);
  });
  afterAll(async () => redis?.stop());

  const writer = (maxLength = 1000): HistoryWriter =>
    new HistoryWriter(rig.connection, maxLength, (error) => errors.push(error));
  const done = (jobId: JobId, text = 'flour'): StepResult => ({ jobId, status: 'ok', text });

  async function jobOf(jobId: JobId): Promise<JobEnvelope['job']> {
    const json = await rig.connection.redis.hget(rig.connection.keys.turn(turnOfJob(jobId)).jobs, jobId);
    return (JSON.parse(json ?? '') as JobEnvelope).job;
  }

  it('has what a worker did with a job before its result is there, with the attempts it took', async () => {
    let tries = 0;
    await rig.work({
      history: writer(),
      retries: { delayMs: 1, maxDelayMs: 2 },
      execute: (job) => {
        tries++;
        const error = { code: 'SERVER_UNAVAILABLE', message: 'the mill is shut' };
        return tries === 1 ? { jobId: job.id, status: 'error', text: '', error } : done(job.id);
      },
    });
    const jobId = await rig.ask('read', { args: { grain: 'rye' } });
    await rig.posted(jobId);
    const { jobs, more } = await history.read(turnOfJob(jobId));
    expect(more).toBe(0);
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatchObject({
      jobId,
      target: 'mill:grind',
      input: { args: { grain: 'rye' } },
      output: 'flour',
      attempts: 2,
      truncated: false,
    });
    expect(jobs[0]?.endedAtMs).toBeGreaterThanOrEqual(jobs[0]?.startedAtMs ?? Infinity);
  });

  it('is not there when nobody keeps it', async () => {
    await rig.work({ execute: (job) => done(job.id) });
    const jobId = await rig.ask();
    await rig.posted(jobId);
    expect(await rig.connection.redis.exists(rig.connection.keys.turn(turnOfJob(jobId)).history)).toBe(0);
    expect(HistoryWriter.of({ steps: 'off' }, rig.connection, () => {})).toBeUndefined();
    expect(HistoryWriter.of(undefined, rig.connection, () => {})).toBeUndefined();
  });

  it('has each job once, with what it gave last, and those of one step when that is asked for', async () => {
    const first = await rig.ask();
    const job = await jobOf(first);
    const turnId = turnOfJob(first);
    const keeping = writer();
    const at = (path: string, text: string, endedAtMs: number): void => {
      const id = `${turnId}.${path}.c` as JobId;
      keeping.keep({ ...job, id, path }, done(id, text), { endedAtMs, attempts: 1 });
    };
    at('1', 'one', 2);
    at('1.i1.0', 'deep', 3);
    at('0', 'old', 1);
    at('0', 'new', 4);
    const { jobs } = await history.read(turnId);
    expect(jobs.map(({ output }) => output)).toEqual(['one', 'deep', 'new']);
    expect((await history.read(turnId, '1')).jobs.map(({ output }) => output)).toEqual(['one']);
    expect((await history.read(turnId, '2')).jobs).toEqual([]);
  });

  it('counts what does not fit any more, in jobs and in bytes', async () => {
    const first = await rig.ask();
    const job = await jobOf(first);
    const turnId = turnOfJob(first);
    const keeping = writer(1_000_000);
    const keep = (name: string, text: string): void => {
      const id = `${turnId}.${name}.c` as JobId;
      keeping.keep({ ...job, id, path: name }, done(id, text), { endedAtMs: 1, attempts: 1 });
    };
    for (let at = 0; at < 20; at++) keep(`big${at}`, 'x'.repeat(1_000_000));
    expect((await history.read(turnId, 'big0')).more).toBe(4);
    for (let at = 0; at < 2100; at++) keep(`small${at}`, '');
    const { jobs, more } = await history.read(turnId);
    expect(jobs.length + more).toBe(2120);
    expect(jobs.length).toBeLessThanOrEqual(2000);
    expect(more).toBeGreaterThanOrEqual(120);
  });

  it('lives no longer than its turn, however late a job comes, and is not made for a turn that is gone', async () => {
    const { redis: commands, keys } = rig.connection;
    const late = await rig.ask();
    await commands.expire(keys.turn(turnOfJob(late)).meta, 100);
    writer().keep(await jobOf(late), done(late), { endedAtMs: 1, attempts: 1 });
    const seconds = await until(
      async () => {
        const ttl = await commands.ttl(keys.turn(turnOfJob(late)).history);
        return ttl === -2 ? undefined : ttl;
      },
      5000,
      'the late job',
    );
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(100);

    const gone = await rig.ask();
    const job = await jobOf(gone);
    await commands.del(keys.turn(turnOfJob(gone)).meta);
    writer().keep(job, done(gone), { endedAtMs: 1, attempts: 1 });
    await commands.ping();
    expect(await commands.exists(keys.turn(turnOfJob(gone)).history)).toBe(0);
  });
});
