/** Turns that failed in one of several branches or iterations while others still ran, and are reopened. */
import type { Config, JobId, StepJob, StepResult, TurnId } from '@skillyard/contracts';
import { assembleTrace } from '@skillyard/engine';
import { Operator } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { RunningOrchestrator } from '../src/index.ts';
import { type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();

/** What the mill does must not happen twice; the oven may be asked again. */
const SERVERS: Config = {
  servers: { mill: { url: 'http://mill' }, oven: { url: 'http://oven', effect: 'read' } },
};
const COLD: Partial<StepResult> = {
  status: 'error',
  error: { code: 'TOOL_FAILED', message: 'the oven is cold' },
};
const BRANCHES = skillOf(`
- parallel:
    collect: got
    branches:
      - - {name: bake, call: {tool: "oven:bake", save_as: bread}}
      - - {name: pay, call: {tool: "mill:pay", save_as: receipt}}
        - {name: thank, instruction: "Thank for {{receipt}}.", save_as: thanks}
- {name: serve, instruction: "Serve {{bread}}: {{thanks}}"}
`);
const LOAVES = skillOf(`
- name: each
  for_each:
    in: loaves
    as: loaf
    collect: bread
    steps:
      - {name: bake, call: {tool: "oven:bake", args: {what: "{{loaf}}"}, save_as: bread}}
- set: {var: answer, value: "{{bread}}"}
`);
/** The second call of an iteration must not run twice, and the iteration goes on without it. */
const SOLD = skillOf(`
- name: each
  for_each:
    in: loaves
    as: loaf
    collect: sold
    concurrency: 4
    steps:
      - {name: bake, call: {tool: "oven:bake", args: {what: "{{loaf}}"}, save_as: bread}}
      - {name: sell, on_error: continue, call: {tool: "mill:sell", args: {what: "{{loaf}}"}, save_as: paid}}
      - set: {var: sold, value: "{{loaf}} {{paid}}"}
- set: {var: answer, value: "{{sold}}"}
`).replace('2.4.1', '2.5.0');

/** Answers of jobs that a test gives when it likes. */
class Script {
  readonly #answers = new Map<string, Partial<StepResult>>();
  /** Jobs by their path, as often as they were started. */
  readonly started: string[] = [];

  /** From now on the job at this path answers so. */
  say(path: string, answer: Partial<StepResult>): void {
    this.#answers.set(path, answer);
  }

  async answer(job: StepJob, signal: AbortSignal): Promise<Partial<StepResult>> {
    if (job.kind === 'generate') {
      this.started.push(job.path);
      return { text: `said: ${job.instruction}` };
    }
    this.started.push(job.path);
    return until(
      () => this.#answers.get(job.path) ?? (signal.aborted ? {} : undefined),
      20_000,
      `an answer of ${job.path}`,
    );
  }

  times(path: string): number {
    return this.started.filter((one) => one === path).length;
  }

  async isStarted(...paths: string[]): Promise<void> {
    await until(
      () => paths.every((path) => this.times(path) > 0),
      10_000,
      `the start of ${paths.join(', ')}`,
    );
  }
}

describe.skipIf(redis === undefined)('a turn that failed while others of its branches still ran', () => {
  let cluster: Cluster;
  let operator: Operator;
  let script: Script;
  let running: RunningOrchestrator;
  const start = async (): Promise<Cluster> => {
    script = new Script();
    cluster = await startCluster(redis!.url, (job, { signal }) => script.answer(job, signal), SERVERS);
    operator = new Operator(cluster.connection);
    running = await cluster.orchestrator();
    for (const workerClass of [undefined, 'mill', 'oven']) await cluster.worker(workerClass);
    return cluster;
  };
  afterEach(async () => cluster.close());
  afterAll(async () => redis?.stop());

  const jobAt = (turnId: TurnId, path: string): JobId => `${turnId}.${path}.c` as JobId;
  const failedJobs = async (count: number): Promise<void> => {
    await until(async () => (await operator.listFailed()).jobs.length === count, 10_000, `${count} failures`);
  };
  /** Rows of the trace, and that none is there twice. */
  const rowsOf = async (turnId: TurnId): Promise<Map<string, string>> => {
    const { steps, notices } = assembleTrace(await cluster.events(turnId));
    const rows = [...steps, ...notices].map(({ path, outcome }) => [path, outcome] as const);
    expect(rows.map(([path]) => path)).toHaveLength(new Set(rows.map(([path]) => path)).size);
    return new Map(rows);
  };
  const keysOf = async (turnId: TurnId): Promise<Set<string>> => {
    const { keys, redis: commands } = cluster.connection;
    const left = await commands.keys(`${keys.prefix}:{${turnId}}:*`);
    for (const key of left) expect(await commands.ttl(key), `${key} must expire`).toBeGreaterThan(0);
    return new Set(left.map((key) => key.split(':').at(-1) ?? ''));
  };

  it('runs the failed branch again and gives the other one what it had', async () => {
    const { submit, outcome } = await start();
    script.say('0.b0.0', COLD);
    const turnId = await submit(BRANCHES);
    await script.isStarted('0.b1.0');
    await failedJobs(1);
    const baking = jobAt(turnId, '0.b0.0');
    await expect(operator.redrive(baking, 'anna')).rejects.toThrow(
      'is running; it will end because of this job',
    );
    script.say('0.b1.0', { text: 'receipt 7' });
    expect(await outcome(turnId)).toMatchObject({ status: 'failed', error: { code: 'TOOL_FAILED' } });
    expect(await keysOf(turnId)).toEqual(
      new Set(['claims', 'ended-jobs', 'meta', 'payloads', 'replay', 'state', 'trace']),
    );
    expect(await operator.inspect(baking)).toMatchObject({ notRedrivable: null, notResolvable: null });
    await expect(operator.redrive(jobAt(turnId, '0.b1.0'), 'anna')).rejects.toThrow('ended by another job');

    script.say('0.b0.0', { text: 'bread' });
    expect(await operator.redrive(baking, 'anna')).toEqual([turnId]);
    expect(await outcome(turnId)).toMatchObject({
      status: 'completed',
      answer: 'said: Serve bread: said: Thank for receipt 7.',
    });
    expect(['0.b0.0', '0.b1.0', '0.b1.1'].map((path) => script.times(path))).toEqual([2, 1, 1]);
    expect([...(await rowsOf(turnId)).values()]).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    expect(await keysOf(turnId)).toEqual(new Set(['meta', 'trace']));
  });

  it('runs a second failed branch again with the first, unless its call may have happened', async () => {
    const { submit, outcome } = await start();
    script.say('0.b1.0', { status: 'error', error: { code: 'TOOL_FAILED', message: 'no change' } });
    const turnId = await submit(BRANCHES);
    const [baking, paying] = [jobAt(turnId, '0.b0.0'), jobAt(turnId, '0.b1.0')];
    await failedJobs(1);
    script.say('0.b0.0', COLD);
    expect((await outcome(turnId)).error?.message).toContain('the oven is cold');
    await failedJobs(2);

    // The payment may have been made: the oven alone is redriven, and the turn ends with the payment.
    await expect(operator.redrive(paying, 'anna')).rejects.toThrow('may have run');
    script.say('0.b0.0', { text: 'bread' });
    await operator.redrive(baking, 'anna');
    expect((await outcome(turnId)).error?.message).toContain('no change');
    await expect(operator.redrive(paying, 'anna')).rejects.toThrow('may have run');
    await operator.resolve(paying, { how: 'value', text: 'receipt 9' }, 'anna');
    expect((await outcome(turnId)).answer).toBe('said: Serve bread: said: Thank for receipt 9.');
    expect(['0.b0.0', '0.b1.0', '0.b1.1'].map((path) => script.times(path))).toEqual([2, 1, 1]);

    const other = await submit(LOAVES, { vars: { loaves: 'rye\nspelt' } });
    script.say('0.i1.0', COLD);
    await until(async () => (await operator.listFailed()).jobs.some(({ path }) => path === '0.i1.0'));
    script.say('0.i0.0', COLD);
    expect((await outcome(other)).status).toBe('failed');
    script.say('0.i0.0', { text: 'rye bread' });
    script.say('0.i1.0', { text: 'spelt bread' });
    await operator.redrive(jobAt(other, '0.i0.0'), 'anna');
    expect((await outcome(other)).answer).toBe('rye bread\n\nspelt bread');
  });

  it('goes on with a loop whose third of eight iterations failed', async () => {
    const { submit, outcome } = await start();
    const paths = Array.from({ length: 8 }, (_, index) => `0.i${index}.0`);
    const loaves = Array.from({ length: 8 }, (_, index) => `loaf ${index}`).join('\n');
    const turnId = await submit(LOAVES, { vars: { loaves } });
    await script.isStarted(...paths);
    script.say('0.i1.0', { text: 'bread 1' });
    script.say('0.i5.0', { text: 'bread 5' });
    await until(async () => (await operator.explainTurn(turnId)).jobs.length === 6);
    script.say('0.i2.0', COLD);
    await failedJobs(1);
    // The loop would have come to the first two only.
    await until(async () => (await operator.explainTurn(turnId)).jobs.length === 1);
    script.say('0.i0.0', { text: 'bread 0' });
    expect((await outcome(turnId)).status).toBe('failed');

    for (const index of [2, 3, 4, 6, 7]) script.say(`0.i${index}.0`, { text: `bread ${index}` });
    await operator.redrive(jobAt(turnId, '0.i2.0'), 'anna');
    expect(await outcome(turnId)).toMatchObject({
      status: 'completed',
      answer: Array.from({ length: 8 }, (_, index) => `bread ${index}`).join('\n\n'),
    });
    // What had been done stays done; what was stopped is run again.
    expect(paths.map((path) => script.times(path))).toEqual([1, 1, 2, 2, 2, 1, 2, 2]);
    expect((await rowsOf(turnId)).size).toBe(10);
    expect(await keysOf(turnId)).toEqual(new Set(['meta', 'trace']));
  });

  it('never makes a call twice that was stopped with its iteration', async () => {
    const { submit, outcome } = await start();
    const turnId = await submit(SOLD, { vars: { loaves: 'a\nb\nc\nd' } });
    for (const index of [0, 1, 2, 3]) if (index !== 2) script.say(`0.i${index}.0`, { text: 'bread' });
    await script.isStarted('0.i0.1', '0.i1.1', '0.i2.0', '0.i3.1');
    // The sale of the last loaf is stopped with its iteration.
    script.say('0.i2.0', COLD);
    await failedJobs(1);
    script.say('0.i0.1', { text: 'sold' });
    await until(async () => (await operator.explainTurn(turnId)).jobs.length === 1);
    script.say('0.i1.1', { text: 'sold' });
    expect((await outcome(turnId)).status).toBe('failed');

    script.say('0.i2.0', { text: 'bread' });
    script.say('0.i2.1', { text: 'sold' });
    script.say('0.i3.1', { text: 'sold' });
    await operator.redrive(jobAt(turnId, '0.i2.0'), 'anna');
    const { status, answer } = await outcome(turnId);
    expect(status).toBe('completed');
    expect(answer.split('\n\n')).toEqual([
      'a sold',
      'b sold',
      'c sold',
      expect.stringMatching(/^d ERROR: .*whether it was done is not known$/),
    ]);
    const times = [0, 1, 2, 3].map((index) => script.times(`0.i${index}.1`));
    expect(times).toEqual([1, 1, 1, 1]);
  });

  it('never makes a call twice that was asked for after the failure, and stopped by another one', async () => {
    const { submit, outcome } = await start();
    const turnId = await submit(SOLD, { vars: { loaves: 'a\nb\nc' } });
    await script.isStarted('0.i0.0', '0.i1.0', '0.i2.0');
    script.say('0.i2.0', COLD);
    await failedJobs(1);
    script.say('0.i1.0', { text: 'bread' });
    await script.isStarted('0.i1.1');
    script.say('0.i0.0', COLD);
    expect((await outcome(turnId)).status).toBe('failed');

    for (const path of ['0.i0.0', '0.i2.0']) script.say(path, { text: 'bread' });
    for (const index of [0, 1, 2]) script.say(`0.i${index}.1`, { text: 'sold' });
    // Either of the two; the other one goes with it.
    await operator.redrive(jobAt(turnId, '0.i2.0'), 'anna');
    const { status, answer } = await outcome(turnId);
    expect(status).toBe('completed');
    expect(answer).toMatch(/^a sold\n\nb ERROR: .*not known\n\nc sold$/);
    expect([0, 1, 2].map((index) => script.times(`0.i${index}.0`))).toEqual([2, 1, 2]);
    expect([0, 1, 2].map((index) => script.times(`0.i${index}.1`))).toEqual([1, 1, 1]);
  });

  it.each([
    ['as a text', (result: StepResult) => ['r', JSON.stringify(result)]],
    ['as a reference', ({ jobId }: StepResult) => ['p', jobId]],
  ])('is not ended again by the old result when that is delivered once more: %s', async (_how, fieldsOf) => {
    const { connection, orchestrator, submit, outcome } = await start();
    script.say('0.b1.0', { text: 'receipt 7' });
    script.say('0.b0.0', COLD);
    const turnId = await submit(BRANCHES);
    const baking = jobAt(turnId, '0.b0.0');
    expect((await outcome(turnId)).status).toBe('failed');
    // An orchestrator that died between its commit and its acknowledgement has read it and left it.
    await running.close();
    const stream = connection.keys.shard(connection.keys.shardOf(turnId)).results;
    const old: StepResult = { jobId: baking, status: 'error', text: '', ...COLD };
    await connection.redis.xadd(stream, '*', 't', turnId, ...fieldsOf(old));
    await connection.redis.xreadgroup('GROUP', 'orchestrators', 'dead', 'COUNT', 9, 'STREAMS', stream, '>');
    script.say('0.b0.0', { text: 'bread' });
    await operator.redrive(baking, 'anna');
    await orchestrator();
    expect(await outcome(turnId)).toMatchObject({ status: 'completed' });
    expect(['0.b0.0', '0.b1.0', '0.b1.1'].map((path) => script.times(path))).toEqual([2, 1, 1]);
  });

  it('goes on when what it is given again comes in another order', async () => {
    const { connection, orchestrator, submit, outcome } = await start();
    script.say('0.b0.0', COLD);
    const turnId = await submit(BRANCHES);
    await failedJobs(1);
    script.say('0.b1.0', { text: 'receipt 7' });
    expect((await outcome(turnId)).status).toBe('failed');
    await running.close();
    script.say('0.b0.0', { text: 'bread' });
    await operator.redrive(jobAt(turnId, '0.b0.0'), 'anna');
    // What a reader that loses its connection in the middle leaves: the later results come before the earlier ones.
    const { meta } = connection.keys.turn(turnId);
    const order = JSON.parse((await connection.redis.hget(meta, 'reopened')) ?? '[]') as JobId[];
    expect(order.length).toBeGreaterThan(1);
    await connection.redis.hset(meta, 'reopened', JSON.stringify(order.toReversed()));
    await orchestrator();
    expect(await outcome(turnId)).toMatchObject({ status: 'completed' });
    expect(['0.b1.0', '0.b1.1'].map((path) => script.times(path))).toEqual([1, 1]);
  });

  it('leaves nothing behind when a turn that is bound to fail is cancelled', async () => {
    const { client, submit, outcome } = await start();
    script.say('0.b0.0', COLD);
    const turnId = await submit(BRANCHES);
    await script.isStarted('0.b1.0');
    await failedJobs(1);
    await client.cancelTurn(turnId);
    expect((await outcome(turnId)).status).toBe('cancelled');
    expect(await keysOf(turnId)).toEqual(new Set(['meta', 'trace']));
    await expect(operator.redrive(jobAt(turnId, '0.b0.0'), 'anna')).rejects.toThrow(
      'not because of the result of a job',
    );
  });
});
