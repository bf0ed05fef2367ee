import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Config,
  type JobId,
  NO_ORIGIN,
  type StepJob,
  type StepResult,
  type TurnId,
} from '@skillyard/contracts';
import { assembleTrace } from '@skillyard/engine';
import { childTurnId, Operator, postResult } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Answer, type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();

const SERVERS: Config = {
  servers: { mill: { url: 'http://mill' }, oven: { url: 'http://oven', effect: 'read' } },
};
const PAY = skillOf(`
- {name: pay, call: {tool: "mill:pay", save_as: receipt}}
- {name: thank, instruction: "Thank for {{receipt}}."}
`);
const BAKE = skillOf(`
- {name: bake, call: {tool: "oven:bake", save_as: bread}}
- {name: serve, instruction: "Serve {{bread}}."}
`);
const LOAVES = skillOf(`
- for_each:
    in: loaves
    as: loaf
    collect: bread
    steps:
      - call: {tool: "oven:bake", args: {what: "{{loaf}}"}, save_as: bread}
- set: {var: answer, value: "{{bread}}"}
`);
const COLD = { code: 'TOOL_FAILED', message: 'the oven is cold' };

describe.skipIf(redis === undefined)('an operator', () => {
  let cluster: Cluster;
  let operator: Operator;
  const start = async (answer: Answer, config: Config = SERVERS): Promise<Cluster> => {
    cluster = await startCluster(redis!.url, answer, config);
    operator = new Operator(cluster.connection);
    await cluster.orchestrator();
    await cluster.worker();
    return cluster;
  };
  afterEach(async () => cluster.close());
  afterAll(async () => redis?.stop());

  const broken: Partial<StepResult> = { status: 'error', error: COLD };
  const said = (job: StepJob): Partial<StepResult> =>
    job.kind === 'generate' ? { text: `said: ${job.instruction}` } : {};
  const jobOf = (turnId: TurnId): JobId => `${turnId}.0.c` as JobId;

  /** A turn whose payment was made by a worker that died before it could say so. */
  const loseAPayment = async (paid: string[]): Promise<TurnId> => {
    const { connection, submit, outcome, worker } = cluster;
    const turnId = await submit(PAY);
    const jobId = jobOf(turnId);
    const { jobs, claims } = connection.keys.turn(turnId);
    await until(
      async () => (await connection.redis.hexists(jobs, jobId)) === 1,
      5000,
      'the payment is asked for',
    );
    paid.push(jobId);
    await connection.redis.hset(claims, jobId, 'dead.worker 1 0');
    await worker('mill');
    expect(await outcome(turnId)).toMatchObject({ status: 'failed', error: { code: 'STEP_LOST' } });
    return turnId;
  };

  it('gives a lost call its result, and the turn goes on from there without a second call', async () => {
    const paid: string[] = [];
    const { outcome, events } = await start((job) => {
      if (job.kind === 'call') paid.push(job.id);
      return said(job);
    });
    const turnId = await loseAPayment(paid);
    await expect(operator.redrive(jobOf(turnId), 'anna')).rejects.toMatchObject({
      code: 'REOPEN_REFUSED',
      message: expect.stringMatching(/must not run twice, and may have run.+--value.+--rerun/),
    });
    await operator.resolve(jobOf(turnId), { how: 'value', text: 'receipt 7' }, 'anna');
    expect(await outcome(turnId)).toMatchObject({
      status: 'completed',
      answer: 'said: Thank for receipt 7.',
      vars: { receipt: 'receipt 7' },
    });
    expect(paid).toHaveLength(1);
    const trace = await events(turnId);
    expect(trace.filter(({ type }) => type === 'turn.reopened')).toMatchObject([
      { by: 'anna', how: 'resolve', jobId: jobOf(turnId) },
    ]);
    expect(trace.at(-1)).toMatchObject({ type: 'turn.finished', status: 'completed' });
    // The row of the failure is taken back.
    expect(assembleTrace(trace).steps.map(({ name, outcome: how }) => [name, how])).toEqual([
      ['pay', 'ok'],
      ['thank', 'ok'],
    ]);
    expect((await operator.listFailed()).jobs).toEqual([]);
  });

  it('runs a lost call again when that is what was asked for', async () => {
    const paid: string[] = [];
    const { outcome } = await start((job) => {
      if (job.kind !== 'call') return said(job);
      paid.push(job.id);
      return { text: 'receipt 8' };
    });
    const turnId = await loseAPayment(paid);
    await operator.resolve(jobOf(turnId), { how: 'rerun' }, 'anna');
    expect(await outcome(turnId)).toMatchObject({ status: 'completed', vars: { receipt: 'receipt 8' } });
    expect(paid).toEqual([jobOf(turnId), jobOf(turnId)]);
  });

  it('redrives a job once its cause is gone, and refuses to do it twice', async () => {
    let isCold = true;
    const { worker, submit, outcome, executed } = await start((job) => {
      if (job.kind !== 'call') return said(job);
      return isCold ? broken : { text: 'bread' };
    });
    await worker('oven');
    const turnId = await submit(BAKE);
    expect(await outcome(turnId)).toMatchObject({ status: 'failed', error: { code: 'TOOL_FAILED' } });
    const { jobs } = await until(async () => {
      const page = await operator.listFailed({ workerClass: 'oven' });
      return page.jobs.length > 0 ? page : undefined;
    });
    expect(jobs).toMatchObject([
      {
        jobId: jobOf(turnId),
        step: 'bake',
        path: '0',
        kind: 'call',
        target: 'oven:bake',
        queue: 'tool.oven',
        status: 'error',
        code: 'TOOL_FAILED',
        message: 'the oven is cold',
      },
    ]);
    expect(await operator.inspect(jobOf(turnId))).toMatchObject({
      turnStatus: 'failed',
      notRedrivable: null,
    });
    isCold = false;
    expect(await operator.redrive(jobOf(turnId), 'anna')).toEqual([turnId]);
    await expect(operator.redrive(jobOf(turnId), 'anna')).rejects.toMatchObject({ code: 'REOPEN_REFUSED' });
    expect(await outcome(turnId)).toMatchObject({ status: 'completed', answer: 'said: Serve bread.' });
    expect(executed.filter(({ kind }) => kind === 'call')).toHaveLength(2);
    await expect(operator.redrive(jobOf(turnId), 'anna')).rejects.toThrow('ended as completed');
    await expect(operator.inspect(jobOf(turnId))).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('keeps a turn among those that run that is redriven the moment it has ended', async () => {
    let isCold = true;
    let serve: () => void = () => {};
    const served = new Promise<void>((resolve) => (serve = resolve));
    const { connection, worker, submit, events, outcome, executed } = await start(async (job) => {
      if (job.kind !== 'call') return said(job);
      if (isCold) return broken;
      await served;
      return { text: 'bread' };
    });
    await worker('oven');
    const turnId = await submit(BAKE);
    expect((await events(turnId)).at(-1)).toMatchObject({ type: 'turn.finished', status: 'failed' });
    isCold = false;
    await operator.redrive(jobOf(turnId), 'anna');
    await until(() => executed.length === 2, 5000, 'the second call');
    // What ended later is written down no earlier.
    const { keys, redis: commands } = connection;
    const { turns, ended } = keys.turnsOf('default');
    const later = await submit(skillOf('- set: {var: answer, value: done}'));
    await until(async () => (await commands.zscore(ended, later)) !== null, 5000, 'the end of another turn');
    expect(await commands.zscore(ended, turnId)).toBeNull();
    expect(await commands.zscore(turns, turnId)).not.toBeNull();
    expect(await commands.zscore(keys.shard(keys.shardOf(turnId)).live, turnId)).not.toBeNull();
    serve();
    expect(await outcome(turnId)).toMatchObject({ status: 'completed' });
  });

  it('lets a reopened turn run no longer than to its deadline', async () => {
    let isCold = true;
    const { worker, submit, outcome } = await start(async (job, { signal }) => {
      if (job.kind !== 'call' || isCold) return broken;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return {};
    });
    await worker('oven');
    const turnId = await submit(BAKE, { origin: { ...NO_ORIGIN, deadlineMs: Date.now() + 2000 } });
    expect(await outcome(turnId)).toMatchObject({ status: 'failed' });
    isCold = false;
    await operator.redrive(jobOf(turnId), 'anna');
    expect(await outcome(turnId)).toMatchObject({
      status: 'cancelled',
      error: { message: 'its deadline was reached' },
    });
  });

  it('redrives all of a class, and says which cannot be and why', async () => {
    let isCold = true;
    const { worker, submit, outcome } = await start((job) => {
      if (job.kind !== 'call') return said(job);
      return isCold ? broken : { text: 'bread' };
    });
    await worker('oven');
    const failing = await Promise.all([submit(BAKE), submit(BAKE), submit(BAKE)]);
    const tolerant = await submit(BAKE.replace('name: bake,', 'name: bake, on_error: continue,'));
    for (const turnId of failing) expect(await outcome(turnId)).toMatchObject({ status: 'failed' });
    expect(await outcome(tolerant)).toMatchObject({ status: 'completed' });
    await until(async () => (await operator.listFailed()).jobs.length === 4);
    isCold = false;
    const report = await operator.redriveClass('oven', 'anna');
    expect(new Set(report.redriven)).toEqual(new Set(failing.map(jobOf)));
    expect(report.refused).toEqual([
      { jobId: jobOf(tolerant), reason: expect.stringContaining('ended as completed') },
    ]);
    for (const turnId of failing) expect(await outcome(turnId)).toMatchObject({ status: 'completed' });
  });

  it('runs again what was stopped when the turn failed, and keeps what was done', async () => {
    let isCold = true;
    const { connection, worker, submit, outcome, executed } = await start((job, { signal }) => {
      if (job.kind !== 'call') return said(job);
      const what = job.args['what'] as string;
      if (!isCold || what === 'rye') return { text: `${what} bread` };
      if (what === 'oat')
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ text: 'stopped' }));
        });
      return until(() => executed.length === 3).then(() => broken);
    });
    await worker('oven');
    const turnId = await submit(LOAVES, { vars: { loaves: 'rye\nspelt\noat' } });
    expect((await outcome(turnId)).status).toBe('failed');
    isCold = false;
    await operator.redrive(`${turnId}.0.i1.0.c` as JobId, 'anna');
    expect(await outcome(turnId)).toMatchObject({
      status: 'completed',
      answer: 'rye bread\n\nspelt bread\n\noat bread',
    });
    const times = (loaf: string): number =>
      executed.filter((job) => job.kind === 'call' && job.args['what'] === loaf).length;
    expect(['rye', 'spelt', 'oat'].map(times)).toEqual([1, 2, 2]);
    const left = await connection.redis.keys(`${connection.keys.prefix}:{${turnId}}:*`);
    expect(new Set(left.map((key) => key.split(':').at(-1)))).toEqual(new Set(['meta', 'trace']));
  });

  it('keeps a result that came after the end, and applies it when the turn is reopened', async () => {
    const { connection, submit, outcome } = await start(said);
    const turnId = await submit(LOAVES, { vars: { loaves: 'rye\nspelt' } });
    await until(async () => (await operator.explainTurn(turnId)).jobs.length === 2);
    const [rye, spelt] = [`${turnId}.0.i0.0.c` as JobId, `${turnId}.0.i1.0.c` as JobId];
    await postResult(connection, { jobId: rye, status: 'error', text: '', error: COLD });
    await outcome(turnId);
    await postResult(connection, { jobId: spelt, status: 'ok', text: 'spelt bread' });
    const { payloads } = connection.keys.turn(turnId);
    await until(async () => (await connection.redis.hexists(payloads, spelt)) === 1, 5000, 'it is kept');
    await operator.resolve(rye, { how: 'value', text: 'bought bread' }, 'anna');
    expect(await outcome(turnId)).toMatchObject({
      status: 'completed',
      answer: 'bought bread\n\nspelt bread',
    });
  });

  it('reopens the turn that failed because a delegated one did, with it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillyard-operator-'));
    let isCold = true;
    try {
      await writeFile(join(folder, 'bakery.yaml'), BAKE.replace('test-skill', 'bakery'));
      const { worker, submit, outcome } = await start(
        (job) => (job.kind === 'call' ? (isCold ? broken : { text: 'bread' }) : said(job)),
        { ...SERVERS, skills: [folder] },
      );
      await worker('oven');
      const parent = await submit(
        skillOf('- {name: ask, delegate: {skill: bakery, task: bread}, save_as: got}'),
      );
      expect(await outcome(parent)).toMatchObject({ status: 'failed', error: { code: 'DELEGATE_FAILED' } });
      isCold = false;
      const asked = `${parent}.0.d` as JobId;
      const child = childTurnId(asked);
      await expect(operator.redrive(asked, 'anna')).rejects.toThrow(`because job ${jobOf(child)}`);
      expect(await operator.redrive(jobOf(child), 'anna')).toEqual([child, parent]);
      expect(await outcome(parent)).toMatchObject({
        status: 'completed',
        vars: { got: 'said: Serve bread.' },
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('reopens the turn in which the delegated one failed beside another branch, once that has ended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillyard-operator-'));
    let isCold = true;
    try {
      await writeFile(join(folder, 'bakery.yaml'), BAKE.replace('test-skill', 'bakery'));
      const { worker, submit, outcome, executed } = await start(
        (job) => (job.kind === 'call' ? (isCold ? broken : { text: 'bread' }) : said(job)),
        { ...SERVERS, skills: [folder] },
      );
      await worker('oven');
      const parent = await submit(
        skillOf(`
- parallel:
    branches:
      - - {name: ask, delegate: {skill: bakery, task: bread}, save_as: got}
      - - {name: pay, call: {tool: "mill:pay", save_as: receipt}}`),
      );
      const child = childTurnId(`${parent}.0.b0.0.d` as JobId);
      await until(async () => (await operator.listFailed()).jobs.length === 2, 5000, 'both have failed');
      await expect(operator.redrive(jobOf(child), 'anna')).rejects.toThrow('it will end because of this job');
      const paid = { jobId: `${parent}.0.b1.0.c` as JobId, status: 'ok', text: 'receipt 7' } as const;
      await postResult(cluster.connection, paid);
      expect(await outcome(parent)).toMatchObject({ status: 'failed', error: { code: 'DELEGATE_FAILED' } });
      isCold = false;
      expect(await operator.redrive(jobOf(child), 'anna')).toEqual([child, parent]);
      expect(await outcome(parent)).toMatchObject({
        status: 'completed',
        vars: { got: 'said: Serve bread.', receipt: 'receipt 7' },
      });
      expect(executed.filter(({ kind }) => kind === 'call')).toHaveLength(2);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('starts a delegated turn anew that was cancelled, when it is told to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillyard-operator-'));
    try {
      await writeFile(join(folder, 'bakery.yaml'), BAKE.replace('test-skill', 'bakery'));
      const { client, worker, submit, outcome } = await start(
        (job) => (job.kind === 'call' ? { text: 'bread' } : said(job)),
        { ...SERVERS, skills: [folder] },
      );
      const parent = await submit(
        skillOf('- {name: ask, delegate: {skill: bakery, task: bread}, save_as: got}'),
      );
      const asked = `${parent}.0.d` as JobId;
      const child = childTurnId(asked);
      await until(async () => (await client.readTurn(child)).status === 'running', 5000, 'the child runs');
      await client.cancelTurn(child, 'by mistake');
      expect((await outcome(parent)).status).toBe('failed');
      await expect(operator.redrive(asked, 'anna')).rejects.toThrow('would run again from its beginning');
      await worker('oven');
      await operator.resolve(asked, { how: 'rerun' }, 'anna');
      expect(await outcome(parent)).toMatchObject({ status: 'completed' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is told of a job that costs every worker its life, and it does not hold up those behind it', async () => {
    const { connection, worker, submit, outcome } = await start((job) =>
      job.kind === 'call' ? { text: 'bread' } : said(job),
    );
    const poisoned = await submit(BAKE);
    const { jobs, claims } = connection.keys.turn(poisoned);
    const jobId = jobOf(poisoned);
    await until(async () => (await connection.redis.hexists(jobs, jobId)) === 1, 5000, 'it is asked for');
    // Four workers took it, one after the other, and died.
    await connection.redis.hset(claims, jobId, 'dead.worker 1 3');
    const healthy = await submit(BAKE);
    await worker('oven');
    expect(await outcome(healthy)).toMatchObject({ status: 'completed' });
    expect(await outcome(poisoned)).toMatchObject({ status: 'failed', error: { code: 'STEP_LOST' } });
    await until(async () => (await operator.listFailed()).jobs.length === 1);
    const { jobs: failed } = await operator.listFailed();
    expect(failed).toMatchObject([
      { jobId, code: 'STEP_LOST', message: expect.stringContaining('given up after'), attempts: 4 },
    ]);
    await operator.redrive(jobId, 'anna');
    expect(await outcome(poisoned)).toMatchObject({ status: 'completed' });
  });
});
