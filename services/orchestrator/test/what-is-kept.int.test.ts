import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, JobId, TurnId } from '@skillyard/contracts';
import { HistoryWriter, JobHistory, Operator, QueueControl, TurnIndex } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Answer, type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();

const BAKE = skillOf(`
- {name: bake, call: {tool: "oven:bake", args: {dough: "{{input}}"}, save_as: answer}}
`);

describe.skipIf(redis === undefined)('what is kept of turns', () => {
  let cluster: Cluster | undefined;
  afterEach(async () => {
    await cluster?.close();
    cluster = undefined;
  });
  afterAll(async () => redis?.stop());

  async function start(answer: Answer, config: Config = {}): Promise<Cluster> {
    cluster = await startCluster(redis!.url, answer, {
      servers: { oven: { url: 'http://oven' } },
      ...config,
    });
    await cluster.orchestrator();
    return cluster;
  }
  const historyOf = ({ connection, config }: Cluster): { history: HistoryWriter } => {
    const history = HistoryWriter.of(config.history, connection, (error) => {
      throw error;
    });
    if (history === undefined) throw new Error('the configuration of this test keeps a history');
    return { history };
  };

  it('is a list in which a turn is open up to its end, and again when it is reopened', async () => {
    let isCold = true;
    const error = { code: 'TOOL_FAILED', message: 'the oven is cold' };
    const { connection, submit, outcome, worker } = await start(() =>
      isCold ? { status: 'error', error, sent: false } : { text: 'bread' },
    );
    const index = new TurnIndex(connection);
    const open = (): Promise<number> => index.countOpen('default');
    const settled = (count: number): Promise<unknown> =>
      until(async () => (await open()) === count, 5000, `${count} open turns`);
    const other = await submit(BAKE, { turnId: 'other' });
    const turnId = await submit(BAKE, { turnId: 'turn', vars: { input: 'rye' } });
    expect(await open()).toBe(2);
    expect((await index.list({ tenants: 'all' })).turns.map((turn) => turn.turnId)).toEqual(
      expect.arrayContaining([turnId, other]),
    );
    await worker('oven');
    expect(await outcome(turnId)).toMatchObject({ status: 'failed' });
    expect(await outcome(other)).toMatchObject({ status: 'failed' });
    await settled(0);

    const queues = new QueueControl(connection);
    await queues.pause('oven');
    isCold = false;
    await new Operator(connection).redrive(`${turnId}.0.c` as JobId, 'anna');
    expect(await open()).toBe(1);
    await until(
      async () => (await queues.list(['oven']))[0]?.waiting === 1,
      5000,
      'the job waits in a pause',
    );
    const { turns } = await index.list({ tenants: ['default'], status: ['running'] });
    expect(turns.map((turn) => turn.turnId)).toEqual([turnId]);
    await queues.resume('oven');
    expect(await outcome(turnId)).toMatchObject({ status: 'completed', answer: 'bread' });
    await settled(0);
  });

  it('heals when the end of a turn was not noted: the sweep notes it', async () => {
    cluster = await startCluster(redis!.url, () => ({ text: 'bread' }), {
      servers: { oven: { url: 'http://oven' } },
    });
    const { connection, orchestrator, submit, outcome, worker } = cluster;
    const first = await orchestrator();
    await worker('oven');
    const turnId = await submit(BAKE);
    await outcome(turnId);
    const { redis: commands, keys } = connection;
    const index = new TurnIndex(connection);
    await until(async () => (await index.countOpen('default')) === 0, 5000, 'its end is noted');
    await first.close();
    // What a crash between the end and its announcement leaves.
    await commands.zrem(keys.turnsOf('default').ended, turnId);
    await commands.zadd(keys.shard(keys.shardOf(turnId)).live, 1, turnId);
    expect(await index.countOpen('default')).toBe(1);
    await orchestrator();
    await until(async () => (await index.countOpen('default')) === 0, 10_000, 'its end is noted after all');
  });

  it('does not count a turn for ever that never came after its id: the sweep forgets it', async () => {
    cluster = await startCluster(redis!.url, () => ({}));
    const { connection, orchestrator, submit, outcome } = cluster;
    const { redis: commands, keys } = connection;
    const ghost = 'ghost' as TurnId;
    await commands.sadd(keys.tenants, 'default');
    await commands.zadd(keys.turnsOf('default').turns, 1, ghost);
    await commands.zadd(keys.shard(keys.shardOf(ghost)).live, 1, ghost);
    await orchestrator();
    await outcome(await submit(skillOf('- set: {var: answer, value: done}')));
    const index = new TurnIndex(connection);
    await until(async () => (await index.countOpen('default')) === 0, 10_000, 'the ghost is forgotten');
    expect(await commands.zcard(keys.shard(keys.shardOf(ghost)).live)).toBe(0);
  });

  it('is the history of a tool loop, where it is asked for', async () => {
    const usage = { inputTokens: 3, outputTokens: 1 };
    const running = await start(
      (job) => {
        if (job.kind === 'call') return { text: 'bread' };
        if (job.kind !== 'generate' || job.round > 0) return { text: 'Here it is.', usage };
        return {
          toolRequests: [{ callId: 'a', server: 'oven', tool: 'bake', args: { dough: 'rye' } }],
          usage,
        };
      },
      { history: { steps: 'on' } },
    );
    await running.worker('model', historyOf(running));
    await running.worker('oven', historyOf(running));
    const turnId = await running.submit(
      skillOf('- {name: think, instruction: Bake something., tools: [oven], save_as: answer}'),
    );
    expect(await running.outcome(turnId)).toMatchObject({ status: 'completed', answer: 'Here it is.' });
    const { jobs } = await new JobHistory(running.connection).read(turnId);
    expect(jobs.map(({ kind, step }) => [kind, step])).toEqual([
      ['generate', 'think'],
      ['call', 'think'],
      ['generate', 'think'],
    ]);
    expect(jobs).toMatchObject([
      { calls: [{ args: { dough: 'rye' } }], usage, attempts: 1 },
      { target: 'oven:bake', input: { args: { dough: 'rye' } }, output: 'bread' },
      { input: { replies: [{ text: 'bread' }] }, output: 'Here it is.' },
    ]);
    const { redis: commands, keys } = running.connection;
    const left = await commands.ttl(keys.turn(turnId).history);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(24 * 60 * 60);
  });

  it('has what a person said that a lost call gave', async () => {
    const error = { code: 'TOOL_FAILED', message: 'the oven is cold' };
    const running = await start(() => ({ status: 'error', error }), { history: { steps: 'on' } });
    const history = new JobHistory(running.connection);
    await running.worker('oven', historyOf(running));
    const turnId = await running.submit(BAKE);
    expect(await running.outcome(turnId)).toMatchObject({ status: 'failed' });
    expect((await history.read(turnId)).jobs).toMatchObject([{ status: 'error', error, attempts: 1 }]);
    const operator = new Operator(running.connection);
    await operator.resolve(`${turnId}.0.c` as JobId, { how: 'value', text: 'bread' }, 'anna');
    expect((await history.read(turnId)).jobs).toMatchObject([
      { status: 'ok', output: 'bread', error: null, worker: null },
    ]);
    expect(await running.outcome(turnId)).toMatchObject({ status: 'completed', answer: 'bread' });
  });

  it('has what the orchestrator answers itself, and what was delegated', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillyard-kept-'));
    try {
      await writeFile(join(folder, 'helper.yaml'), BAKE.replace('test-skill', 'helper'));
      const running = await start(() => ({ text: 'bread' }), { history: { steps: 'on' }, skills: [folder] });
      await running.worker('oven', historyOf(running));
      const turnId = await running.submit(
        skillOf('- {name: ask, delegate: {skill: helper, task: rye, save_as: answer}}'),
        { turnId: 'boss' },
      );
      expect(await running.outcome(turnId)).toMatchObject({ status: 'completed', answer: 'bread' });
      const history = new JobHistory(running.connection);
      expect((await history.read(turnId)).jobs).toMatchObject([
        { kind: 'delegate', step: 'ask', target: 'helper', input: { task: 'rye' }, output: 'bread' },
      ]);
      expect((await history.read('boss_0_d' as TurnId)).jobs).toMatchObject([
        { kind: 'call', input: { args: { dough: 'rye' } }, output: 'bread' },
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is kept as long as the configuration says', async () => {
    const { connection, submit, outcome, worker } = await start(() => ({ text: 'bread' }), {
      history: { steps: 'on', retention: '2h' },
    });
    await worker('oven');
    const turnId = await submit(BAKE);
    await outcome(turnId);
    const left = await connection.redis.ttl(connection.keys.turn(turnId).meta);
    expect(left).toBeGreaterThan(60 * 60);
    expect(left).toBeLessThanOrEqual(2 * 60 * 60);
  });
});
