import type { JobId, StepJob, TurnId } from '@skillyard/contracts';
import { applyResult, compileProgram, loadSkill, loadTurn, type Program, startTurn } from '@skillyard/engine';
import { postResult, ResultsConsumer, StepQueues, submitTurn, TurnStore } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Answer, type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();

const SKILL = skillOf(
  '- {name: one, instruction: One., save_as: a}\n- {name: two, instruction: "Two, {{a}}."}',
);

/**
 * An orchestrator that dies at a chosen instruction. What it did before is done here by hand, with the same parts, so
 * that nothing but the moment of its death is made up.
 */
describe.skipIf(redis === undefined)('an orchestrator that died', () => {
  let cluster: Cluster;
  const start = async (answer: Answer): Promise<Cluster> => {
    cluster = await startCluster(redis!.url, answer);
    return cluster;
  };
  afterEach(async () => cluster.close());
  afterAll(async () => redis?.stop());

  const programOf = (text: string): Program => {
    const { skill } = loadSkill(text, { file: 'test.yaml' });
    if (skill === null) throw new Error('the skill of this test does not load');
    return compileProgram(skill);
  };
  const envelope = (job: StepJob) => ({ job, queue: 'model', effect: 'idempotent' }) as const;

  /** Commits the start of a turn, as an orchestrator does before it adds the first jobs. */
  const commitStart = async (turnId: TurnId): Promise<void> => {
    const { turn, advance } = startTurn(programOf(SKILL), { turnId }, Date.now());
    const { written, removed } = turn.takeChanges();
    const { events, jobs } = advance;
    const asked = jobs.map(envelope);
    const change = { turnId, version: 0, written, removed, events, asked, settled: [], outcome: null };
    expect(await new TurnStore(cluster.connection).commit([change], Date.now())).toEqual([1]);
  };

  /** Takes the results that are there and does not acknowledge them. */
  const takeResults = async (): Promise<ResultsConsumer> => {
    const consumer = new ResultsConsumer({ connection: cluster.connection });
    consumer.open();
    await until(async () => (await consumer.next(false)).length > 0, 5000, 'a result is delivered');
    consumer.close();
    return consumer;
  };

  const answers: Answer = (job) => ({ text: `answer of ${job.step}` });
  const END = { status: 'completed', answer: 'answer of two', vars: { a: 'answer of one' } };

  it('before it started a turn: another one starts it', async () => {
    const { orchestrator, worker, submit, outcome, connection } = await start(answers);
    const turnId = await submit(SKILL);
    // The message is lost as well: only the live set knows of the turn.
    await connection.redis.del(connection.keys.shard(connection.keys.shardOf(turnId)).results);
    await orchestrator();
    await worker();
    expect(await outcome(turnId)).toMatchObject(END);
  });

  it('does what follows from a part of a batch whose other part could not be committed', async () => {
    const { orchestrator, submit, outcome, connection } = await start(answers);
    const delegating = await submit(
      skillOf('- {name: one, instruction: One.}\n- {delegate: {skill: nobody, task: Go.}}'),
    );
    const other = await submit(SKILL);
    const first = await orchestrator();
    const { redis: commands, keys } = connection;
    const waits = (turnId: TurnId, path: string): Promise<number> =>
      commands.hexists(keys.turn(turnId).jobs, `${turnId}.${path}`);
    for (const turnId of [delegating, other])
      await until(async () => (await waits(turnId, '0.g0.0')) === 1, 5000, 'both turns wait');
    await first.close();
    // A key that only the commit writes, of another type.
    const { trace } = keys.turn(other);
    await commands.rename(trace, `${trace}:kept`);
    await commands.set(trace, 'no stream');
    for (const turnId of [delegating, other])
      await postResult(connection, { jobId: `${turnId}.0.g0.0` as JobId, status: 'ok', text: 'done' });
    await orchestrator({ sweepEveryMs: 600_000 });
    await until(async () => (await waits(delegating, '1.d')) === 1, 5000, 'the delegation is committed');
    await commands.rename(`${trace}:kept`, trace);
    const error = { code: 'SKILL_NOT_FOUND' };
    expect(await outcome(delegating)).toMatchObject({ status: 'failed', error });
  });

  it('between the commit of a start and the first job: another one adds the job', async () => {
    const { orchestrator, worker, submit, outcome, executed } = await start(answers);
    const turnId = await submit(SKILL);
    await commitStart(turnId);
    await orchestrator();
    await worker();
    expect(await outcome(turnId)).toMatchObject(END);
    expect(executed).toHaveLength(2);
  });

  it('between reading a result and its commit: another one applies it', async () => {
    const { connection, orchestrator, worker, submit, outcome, executed } = await start(answers);
    const turnId = await submit(SKILL);
    await commitStart(turnId);
    await postResult(connection, { jobId: `${turnId}.0.g0.0` as JobId, status: 'ok', text: 'answer of one' });
    await takeResults();
    await orchestrator();
    await worker();
    expect(await outcome(turnId)).toMatchObject(END);
    expect(executed.map((job) => job.step)).toEqual(['two']);
  });

  it('between the commit of a result and the next job: another one adds the job and applies nothing twice (Q2)', async () => {
    const { connection, orchestrator, worker, submit, outcome, executed, events } = await start(answers);
    const turnId = await submit(SKILL);
    await commitStart(turnId);
    const jobId = `${turnId}.0.g0.0` as JobId;
    await postResult(connection, { jobId, status: 'ok', text: 'answer of one' });
    await takeResults();
    const store = new TurnStore(connection);
    const turn = loadTurn(programOf(SKILL), (await store.load(turnId)).records);
    const advance = applyResult(turn, { jobId, status: 'ok', text: 'answer of one' }, Date.now());
    const changes = { ...turn.takeChanges(), events: advance.events, asked: advance.jobs.map(envelope) };
    const commit = { turnId, version: 1, ...changes, settled: [jobId], outcome: null };
    expect(await store.commit([commit], Date.now())).toEqual([2]);

    await orchestrator();
    await worker();
    expect(await outcome(turnId)).toMatchObject(END);
    expect(executed.map((job) => job.step)).toEqual(['two']);
    expect((await events(turnId)).filter((event) => event.type === 'step.finished')).toHaveLength(2);
  });

  it('between adding a job and its acknowledgement: the job is not run twice (Q3, Q5)', async () => {
    const { connection, orchestrator, worker, submit, outcome, executed } = await start(answers);
    const turnId = await submit(SKILL);
    await commitStart(turnId);
    const store = new TurnStore(connection);
    const queues = new StepQueues(connection);
    await queues.add(queues.requests(await store.pending(turnId)));
    const working = await worker();
    await until(() => executed.length === 1, 5000, 'the first job was run');
    await working.close();
    // Its result waits in the stream, its ticket is gone, and the sweep of the next one finds the job pending.
    await queues.add(queues.requests(await store.pending(turnId)));
    await queues.close();
    await worker();
    await orchestrator();
    expect(await outcome(turnId)).toMatchObject(END);
    expect(executed.map((job) => job.step)).toEqual(['one', 'two']);
  });

  it('while jobs were running: their results wait for the next one', async () => {
    const { orchestrator, worker, submit, outcome, executed } = await start(answers);
    const first = await orchestrator();
    const turnId = await submit(SKILL);
    await until(
      async () => (await cluster.client.readTurn(turnId)).status === 'running',
      5000,
      'the turn runs',
    );
    await first.close();
    await worker();
    await until(() => executed.length === 1, 5000, 'the first job was run');
    await orchestrator();
    expect(await outcome(turnId)).toMatchObject(END);
    expect(executed).toHaveLength(2);
  });

  it('after a delegated turn ended, and before it told the turn that waits: another one tells it', async () => {
    const { connection, orchestrator, submit, outcome } = await start(answers);
    const parent = await submit(skillOf('- delegate: {skill: helper, task: go, save_as: answer}'), {
      turnId: 'boss',
    });
    const job = {
      kind: 'delegate',
      id: 'boss.0.d' as JobId,
      turnId: parent,
      path: '0',
      step: '',
      skill: 'helper',
      task: 'go',
    } as const;
    const { turn, advance } = startTurn(
      programOf(skillOf('- delegate: {skill: helper, task: go, save_as: answer}')),
      { turnId: parent },
      0,
    );
    expect(advance.jobs).toEqual([job]);
    const store = new TurnStore(connection);
    const began = {
      turnId: parent,
      version: 0,
      ...turn.takeChanges(),
      events: advance.events,
      settled: [],
      outcome: null,
    };
    await store.commit([{ ...began, asked: [{ job, queue: null, effect: 'read' }] }], 0);

    const child = 'boss_0_d' as TurnId;
    const lineage = { parent: job.id, depth: 1, root: parent };
    await submitTurn(
      connection,
      { turnId: child, skillText: SKILL, file: 'helper.yaml', vars: {}, lineage },
      0,
    );
    const outcomeOfChild = {
      status: 'completed',
      vars: {},
      answer: 'helped',
      answeredBy: 'instruction',
      skipped: [],
      error: null,
      exitReason: null,
      usage: { generations: 1, calls: 0, inputTokens: 0, outputTokens: 0 },
    } as const;
    const ended = {
      written: [],
      removed: [],
      events: [],
      asked: [],
      settled: [],
      outcome: { ...outcomeOfChild, skipped: [] },
    };
    expect(await store.commit([{ turnId: child, version: 0, ...ended }], 0)).toEqual([1]);

    await orchestrator();
    expect(await outcome(parent)).toMatchObject({ status: 'completed', answer: 'helped' });
  });

  it('after a commit that another one does not know of: its copy is refused, and it reads the turn anew (Q1, O2)', async () => {
    const { connection, orchestrator, worker, submit, outcome, executed } = await start(answers);
    await orchestrator();
    const turnId = await submit(SKILL);
    const reader = new TurnStore(connection);
    await until(
      async () => (await reader.pending(turnId)).length > 0,
      5000,
      'the turn waits for its first job',
    );
    // One that hangs between its last look at the lease and its commit may write this late (L5).
    const epoch = Number(await connection.redis.hget(connection.keys.turn(turnId).meta, 'epoch'));
    const store = new TurnStore(connection, { epoch: () => epoch });
    const jobId = `${turnId}.0.g0.0` as JobId;
    const turn = loadTurn(programOf(SKILL), (await store.load(turnId)).records);
    const advance = applyResult(turn, { jobId, status: 'ok', text: 'answer of one' }, Date.now());
    const changes = { ...turn.takeChanges(), events: advance.events, asked: advance.jobs.map(envelope) };
    const commit = { turnId, version: 1, ...changes, settled: [jobId], outcome: null };
    expect(await store.commit([commit], Date.now())).toEqual([2]);

    await postResult(connection, { jobId, status: 'ok', text: 'answer of one' });
    await worker();
    expect(await outcome(turnId)).toMatchObject(END);
    expect(executed.map((job) => job.step)).toEqual(['two']);
  });
});
