import { randomUUID } from 'node:crypto';
import type { JobId, StepJob, StepResult, TurnId } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  childTurnId,
  connect,
  HeldJobs,
  type ExecuteJob,
  explainTurn,
  type JobExplanation,
  type QueueConnection,
  startStepWorker,
  StepQueues,
  type StepWorker,
  TurnClient,
} from '../src/index.ts';

const redis: RedisServer | undefined = await startRedis();
const TURN = 'waiting-turn' as TurnId;

describe.skipIf(redis === undefined)('why a turn waits', () => {
  let connection: QueueConnection;
  let queues: StepQueues;
  let closers: (() => Promise<void>)[];

  beforeEach(async () => {
    connection = await connect({ url: redis!.url, prefix: `t${randomUUID().slice(0, 8)}` });
    queues = new StepQueues(connection);
    closers = [];
  });
  afterEach(async () => {
    await Promise.all(closers.map((close) => close()));
    await queues.close();
    await connection.close();
  });
  afterAll(async () => redis?.stop());

  const callOf = (id: string): StepJob => ({
    kind: 'call',
    id: `${TURN}.${id}.c` as JobId,
    turnId: TURN,
    path: id,
    step: `step ${id}`,
    server: 'mill',
    tool: 'grind',
    args: {},
    fill: [],
    notes: [],
    origin: 'step',
  });
  /** Puts jobs into the outbox of the running turn, and their tickets into the queue. */
  const pending = async (...jobs: readonly StepJob[]): Promise<void> => {
    const keys = connection.keys.turn(TURN);
    await connection.redis.hset(keys.meta, 'status', 'running', 'submittedAtMs', '1');
    for (const job of jobs) {
      const queue = job.kind === 'call' ? 'tool.mill' : null;
      const envelope = { job, queue, effect: 'read' as const };
      await connection.redis.hset(keys.jobs, job.id, JSON.stringify(envelope));
      await queues.add(queues.requests([envelope]));
    }
  };
  const work = async (execute: ExecuteJob, retryDelayMs = 5): Promise<StepWorker> => {
    const retries = { delayMs: retryDelayMs, maxDelayMs: 3_600_000 };
    const options = { connection, workerClass: 'mill', concurrency: 1, retries, execute };
    const worker = await startStepWorker(options);
    closers.push(() => worker.close(0));
    return worker;
  };
  const queueOf = (): Queue => {
    const queue = new Queue('tool.mill', {
      connection: connection.redis,
      prefix: connection.keys.queuePrefix('tool.mill'),
    });
    closers.push(() => queue.close());
    return queue;
  };
  /** What is said of the job of a path. */
  const why = async (path = '0'): Promise<JobExplanation> => {
    const job = (await explainTurn(connection, TURN)).jobs.find((one) => one.path === path);
    if (job === undefined) throw new Error(`nothing is said of ${path}`);
    return job;
  };
  const whyOnce = (hold: JobExplanation['hold'], path = '0'): Promise<JobExplanation> =>
    until(async () => {
      const job = await why(path);
      return job.hold === hold ? job : undefined;
    });

  it('names the class of which no worker is there', async () => {
    const before = Date.now();
    await pending(callOf('0'));
    const job = await why();
    expect(job).toMatchObject({ hold: 'no-worker', queue: 'tool.mill', target: 'mill:grind', ahead: 0 });
    expect(job.why).toBe('no worker of class mill is connected to the queue tool.mill; start one');
    expect(job.sinceMs).toBeGreaterThanOrEqual(before);
    const turn = await explainTurn(connection, TURN);
    expect(turn.why).toBe(
      'it waits for 1 job; no orchestrator is running, so nothing will follow: start one',
    );
  });

  it('says that a queue is paused, and where in it the job stands', async () => {
    await queueOf().pause();
    await pending(callOf('0'), callOf('1'));
    expect(await why('1')).toMatchObject({ hold: 'paused', why: 'the queue tool.mill is paused', ahead: 1 });
  });

  it('counts the jobs before a job, and says who runs the first', async () => {
    let finish: (result: StepResult) => void = () => {};
    await work(
      (job) =>
        new Promise((resolve) => {
          finish = () => resolve({ jobId: job.id, status: 'ok', text: '' });
        }),
    );
    await pending(callOf('0'));
    expect((await whyOnce('running')).why).toMatch(/^it has been running for \d+ ms/);
    await pending(callOf('1'), callOf('2'), callOf('3'));
    expect(await why('1')).toMatchObject({ hold: 'jobs-ahead', ahead: 0 });
    expect(await why('3')).toMatchObject({
      ahead: 2,
      why: '2 jobs are before it in the queue tool.mill, which has 1 worker with 1 job under way',
    });
    await connection.redis.del(connection.keys.turn(TURN).jobs);
    finish({ jobId: callOf('0').id, status: 'ok', text: '' });
  });

  it('says when the next attempt is, and what the last one failed with', async () => {
    await work(({ id }) => {
      const error = { code: 'SERVER_UNAVAILABLE', message: 'not up yet' };
      return { jobId: id, status: 'error', text: '', error };
    }, 60_000);
    await pending(callOf('0'));
    const job = await whyOnce('retry');
    expect(job).toMatchObject({ attempts: 1, lastCode: 'SERVER_UNAVAILABLE' });
    expect(job.nextAttemptAtMs).toBeGreaterThan(Date.now() + 20_000);
    expect(job.why).toMatch(/^attempt 2 is in \d+ s; the last one failed with SERVER_UNAVAILABLE$/);
  });

  it('says that a queue runs as many jobs as it may', async () => {
    const finish: (() => void)[] = [];
    const execute: ExecuteJob = ({ id }) =>
      new Promise((resolve) => {
        finish.push(() => resolve({ jobId: id, status: 'ok', text: '' }));
      });
    await work(execute);
    await work(execute);
    // A worker that starts says what its class may do.
    await queueOf().setGlobalConcurrency(1);
    await pending(callOf('0'), callOf('1'));
    await whyOnce('running');
    expect(await why('1')).toMatchObject({
      hold: 'concurrency',
      why: 'the queue tool.mill may run 1 job at once, and does',
    });
    await connection.redis.del(connection.keys.turn(TURN).jobs);
    for (const one of finish) one();
  });

  it('tells a result on its way, a delegated turn, a person and a missing ticket apart', async () => {
    const { id, turnId, path, step } = callOf('0');
    const base = { id, turnId, path, step };
    await pending(
      callOf('0'),
      { ...base, id: `${TURN}.1.d` as JobId, path: '1', kind: 'delegate', skill: 'bake', task: '' },
      {
        ...base,
        id: `${TURN}.2.q` as JobId,
        path: '2',
        kind: 'ask',
        questions: [{ kind: 'text', text: 'Well?' }],
      },
      callOf('3'),
    );
    await queues.remove([{ queue: 'tool.mill', id: callOf('3').id }]);
    // As its worker leaves it: the result posted, the ticket completed, the claim still there.
    await connection.redis.hset(connection.keys.turn(TURN).claims, id, 'some.worker 1 0');
    await queues.remove([{ queue: 'tool.mill', id }]);
    expect(await why('0')).toMatchObject({ hold: 'orchestrator' });
    expect(await why('1')).toMatchObject({
      hold: 'child-turn',
      child: childTurnId(`${TURN}.1.d` as JobId),
      target: 'bake',
    });
    expect(await why('2')).toMatchObject({ hold: 'person', why: 'it waits for the answer of a person' });
    expect(await why('3')).toMatchObject({ hold: 'no-ticket' });
  });

  it('says that a job waits for the share of its tenant, and how many do', async () => {
    await pending(callOf('0'), callOf('1'));
    const counts = (held: number): Map<string, { held: number; inFlight: number }> =>
      new Map([['default', { held, inFlight: 20 }]]);
    const heldJobs = new HeldJobs(connection);
    await heldJobs.write('tool.mill', 'one orchestrator', counts(9000));
    await heldJobs.write('tool.mill', 'another', counts(960));
    await queues.remove([{ queue: 'tool.mill', id: callOf('0').id }]);
    expect(await why('0')).toMatchObject({ hold: 'no-worker' });
    let finish: (() => void) | undefined;
    await work(
      () =>
        new Promise((resolve) => (finish = () => resolve({ jobId: callOf('1').id, status: 'ok', text: '' }))),
    );
    await until(() => finish !== undefined, 5000, 'the other job runs');
    expect(await why('0')).toMatchObject({
      hold: 'tenant-share',
      why: 'it waits for the share of tenant default in class mill: 40 of its jobs are with the workers or in their queue, 9,960 wait',
    });
    expect(await why('1')).toMatchObject({ hold: 'running' });
    await heldJobs.remove('tool.mill', 'one orchestrator');
    await heldJobs.remove('tool.mill', 'another');
    expect(await why('0')).toMatchObject({ hold: 'no-ticket' });
    finish?.();
  });

  it('explains 200 jobs of a large turn and counts the others', async () => {
    await pending(callOf('0'));
    const fields = Array.from({ length: 500 }, (_, index) => {
      const job = callOf(`1.i${index}.0`);
      return [job.id, JSON.stringify({ job, queue: 'tool.mill', effect: 'read' })];
    });
    await connection.redis.hset(connection.keys.turn(TURN).jobs, ...fields.flat());
    const turn = await explainTurn(connection, TURN);
    expect(turn.jobs).toHaveLength(200);
    expect(turn.moreJobs).toBe(301);
    expect(turn.why).toContain('it waits for 501 jobs');
  });

  it('says of a turn that nobody starts what is missing, and of one that ended how', async () => {
    const client = new TurnClient(connection);
    const turnId = await client.submitTurn({ skillText: 'x', file: 'x.yaml', vars: {} });
    expect(await explainTurn(connection, turnId)).toMatchObject({
      status: 'queued',
      why: 'it is queued, and no orchestrator is running; start one',
      jobs: [],
    });
    const outcome = { status: 'failed', error: { code: 'STEP_LOST', message: 'the worker died' } };
    const end = ['status', 'failed', 'endedAtMs', '0', 'outcome', JSON.stringify(outcome)];
    await connection.redis.hset(connection.keys.turn(turnId).meta, ...end);
    expect((await explainTurn(connection, turnId)).why).toBe(
      'it waits for nothing: it ended as failed at 1970-01-01T00:00:00.000Z: STEP_LOST: the worker died',
    );
    await expect(explainTurn(connection, 'nobody' as TurnId)).rejects.toThrow('There is no turn "nobody"');
  });
});
