import { randomUUID } from 'node:crypto';
import {
  type CallJob,
  type JobId,
  type StepResult,
  type ToolEffect,
  type TurnId,
  turnOfJob,
} from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  type ExecuteJob,
  type JobEnvelope,
  publishAborts,
  type QueueConnection,
  ResultsConsumer,
  startStepWorker,
  StepQueues,
  type StepWorker,
  type StepWorkerOptions,
  type WorkerNotice,
} from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('a step worker', () => {
  let connection: QueueConnection;
  let queues: StepQueues;
  let consumer: ResultsConsumer;
  let workers: StepWorker[];
  let notices: WorkerNotice[];
  const results: StepResult[] = [];

  beforeEach(async () => {
    connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    queues = new StepQueues(connection);
    consumer = new ResultsConsumer({ connection });
    consumer.open();
    workers = [];
    notices = [];
    results.length = 0;
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close(0)));
    consumer.close();
    await queues.close();
    await connection.close();
  });
  afterAll(async () => redis?.stop());

  /** Puts a call into the outbox of a turn of its own, and its ticket into the queue. */
  const ask = async (effect: ToolEffect = 'read', more: Partial<CallJob> = {}): Promise<JobId> => {
    const turnId = `t-${randomUUID().slice(0, 8)}` as TurnId;
    const id = `${turnId}.0.c` as JobId;
    const job: CallJob = {
      kind: 'call',
      id,
      turnId,
      path: '0',
      step: 'call',
      server: 'mill',
      tool: 'grind',
      args: {},
      fill: [],
      notes: [],
      origin: 'step',
      ...more,
    };
    const envelope = { job, queue: 'tool.mill', effect };
    const keys = connection.keys.turn(turnId);
    await connection.redis.hset(keys.meta, 'status', 'running');
    await connection.redis.hset(keys.jobs, id, JSON.stringify(envelope));
    await queues.add(queues.requests([envelope]));
    return id;
  };
  const work = async (execute: ExecuteJob, options: Partial<StepWorkerOptions> = {}): Promise<StepWorker> => {
    const worker = await startStepWorker({
      connection,
      workerClass: 'mill',
      concurrency: 2,
      retries: { delayMs: 5, maxDelayMs: 60_000 },
      execute,
      onNotice: (notice) => notices.push(notice),
      ...options,
    });
    workers.push(worker);
    return worker;
  };
  const posted = async (jobId: JobId): Promise<StepResult> =>
    until(async () => {
      const batch = await consumer.next(false);
      for (const { message } of batch) if (message.type === 'result') results.push(message.result);
      return results.find((result) => result.jobId === jobId);
    });
  const noticed = (type: WorkerNotice['type']): Promise<WorkerNotice> =>
    until(() => notices.find((notice) => notice.type === type));

  it('posts what the executor gave, with who did it and when', async () => {
    const jobId = await ask();
    await work(({ id }) => ({ jobId: id, status: 'ok', text: 'flour' }));
    expect(await posted(jobId)).toMatchObject({
      status: 'ok',
      text: 'flour',
      worker: expect.any(String),
      startedAtMs: expect.any(Number),
    });
  });

  it('makes a result of what an executor throws', async () => {
    const jobId = await ask();
    await work(() => Promise.reject(new Error('a bug')));
    expect(await posted(jobId)).toMatchObject({
      status: 'error',
      error: { code: 'STEP_FAILED', message: 'a bug' },
    });
  });

  it('does not run a job that nobody waits for (Q5)', async () => {
    const jobId = await ask();
    await connection.redis.hdel(connection.keys.turn(jobId.split('.')[0] as TurnId).jobs, jobId);
    await work(() => Promise.reject(new Error('it was run')));
    expect(await noticed('job.skipped')).toEqual({ type: 'job.skipped', jobId, reason: 'gone' });
  });

  it('runs a job whose ticket was there first: the script of its commit had to be sent again', async () => {
    const jobId = await ask();
    const { jobs } = connection.keys.turn(jobId.split('.')[0] as TurnId);
    const envelope = (await connection.redis.hget(jobs, jobId)) ?? '';
    await connection.redis.hdel(jobs, jobId);
    await work(({ id }) => ({ jobId: id, status: 'ok', text: 'flour' }));
    const delayed = `${connection.keys.queuePrefix('tool.mill')}:tool.mill:delayed`;
    await until(async () => (await connection.redis.zcard(delayed)) === 1);
    await connection.redis.hset(jobs, jobId, envelope);
    expect(await posted(jobId)).toMatchObject({ status: 'ok', text: 'flour' });
  });

  it('does not run a job again whose result is on its way (Q5, Q7)', async () => {
    const jobId = await ask();
    let runs = 0;
    await work(({ id }) => ({ jobId: id, status: 'ok', text: String(++runs) }));
    await noticed('job.finished');
    const envelope = await connection.redis.hget(
      connection.keys.turn(jobId.split('.')[0] as TurnId).jobs,
      jobId,
    );
    await queues.add(queues.requests([JSON.parse(envelope ?? '') as JobEnvelope]));
    expect(await noticed('job.skipped')).toEqual({ type: 'job.skipped', jobId, reason: 'done' });
    expect(runs).toBe(1);
  });

  it('stops a job at its timeout, also when the executor does not listen', async () => {
    const jobId = await ask('once', { timeoutMs: 50 });
    await work(() => new Promise(() => {}));
    const result = await posted(jobId);
    expect(result).toMatchObject({ status: 'error', error: { code: 'STEP_TIMEOUT' } });
    expect(result.error?.message).toContain('step "call" took longer than its timeout of 50 ms');
  });

  it('aborts a running job that is no longer wanted, and posts nothing', async () => {
    const jobId = await ask();
    await work(
      (job, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ jobId: job.id, status: 'error', text: '' }));
          void publishAborts(connection, [job.id]);
        }),
    );
    expect(await noticed('job.skipped')).toEqual({ type: 'job.skipped', jobId, reason: 'aborted' });
    expect(notices).toContainEqual({ type: 'job.aborted', jobId, attempt: 1 });
    const trace = await connection.redis.xrange(connection.keys.turn(turnOfJob(jobId)).trace, '-', '+');
    expect(JSON.parse(trace[0]?.[1][1] ?? '{}')).toMatchObject({ type: 'job.noticed', what: 'aborted' });
    expect(await consumer.next(false)).toEqual([]);
  });

  it('gives a claim back and tries again when a call did not reach its tool (Q6)', async () => {
    const jobId = await ask('once');
    let attempt = 0;
    await work(({ id }) => {
      if (++attempt < 3) {
        const error = { code: 'SERVER_UNAVAILABLE', message: 'not up yet' };
        return { jobId: id, status: 'error', text: '', sent: false, error };
      }
      return { jobId: id, status: 'ok', text: 'paid' };
    });
    expect(await posted(jobId)).toMatchObject({ status: 'ok', text: 'paid' });
    expect(attempt).toBe(3);
  });

  it('says of a failure how many attempts were made, and of a success nothing', async () => {
    const [bad, good] = [await ask(), await ask()];
    await work(({ id }) => {
      if (id === good) return { jobId: id, status: 'ok', text: 'flour' };
      const error = { code: 'SERVER_UNAVAILABLE', message: 'not up yet' };
      return { jobId: id, status: 'error', text: '', error };
    });
    expect(await posted(bad)).toMatchObject({ status: 'error', attempts: 4 });
    expect(Object.keys(await posted(good))).not.toContain('attempts');
  });

  it('hands a repeatable job to another worker when it has to stop', async () => {
    const jobId = await ask('read');
    let isRunning = false;
    const leaving = await work((job, { signal }) => {
      isRunning = true;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () =>
          resolve({ jobId: job.id, status: 'error', text: 'half done' }),
        );
      });
    });
    await until(() => isRunning);
    await leaving.close(0);
    await work(({ id }) => ({ jobId: id, status: 'ok', text: 'done by another' }));
    expect(await posted(jobId)).toMatchObject({ status: 'ok', text: 'done by another' });
    expect(notices.map((notice) => notice.type)).toContain('job.returned');
  });

  it('finishes a call that must not run twice before it stops', async () => {
    const jobId = await ask('once');
    let finish: (() => void) | undefined;
    const leaving = await work(
      (job) =>
        new Promise((resolve) => {
          finish = () => resolve({ jobId: job.id, status: 'ok', text: 'paid' });
        }),
    );
    const pay = await until(() => finish);
    const closing = leaving.close(0);
    pay();
    await closing;
    expect(await posted(jobId)).toMatchObject({ status: 'ok', text: 'paid' });
  });

  it('posts a result above 64 KiB by reference, and the reader gets it whole', async () => {
    const jobId = await ask();
    const text = 'grain '.repeat(50_000);
    await work(({ id }) => ({ jobId: id, status: 'ok', text }));
    await noticed('job.finished');
    const stream = connection.keys.shard(connection.keys.shardOfJob(jobId)).results;
    const [entry] = await connection.redis.xrange(stream, '-', '+');
    expect(entry?.[1]).toEqual(['t', jobId.split('.')[0], 'p', jobId]);
    expect((await posted(jobId)).text).toBe(text);
  });
});
