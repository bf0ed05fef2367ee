import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, JobId, TurnId } from '@skillyard/contracts';
import { connect, postResult } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Answer, type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();

const SERVERS: Config = {
  servers: { mill: { url: 'http://mill' }, oven: { url: 'http://oven', effect: 'read' } },
};

describe.skipIf(redis === undefined)('turns on Redis', () => {
  let cluster: Cluster;
  const start = async (answer: Answer, config: Config = SERVERS): Promise<Cluster> => {
    cluster = await startCluster(redis!.url, answer, config);
    return cluster;
  };
  /** Fails when a turn leaves something behind that nobody would ever delete. */
  const expectTidy = async (turnId: TurnId): Promise<void> => {
    const { keys, redis: commands } = cluster.connection;
    const left = await commands.keys(`${keys.prefix}:{${turnId}}:*`);
    for (const key of left) expect(await commands.ttl(key), `${key} must expire`).toBeGreaterThan(0);
    // What a turn that failed by the result of a job was before it is kept for whoever reopens it.
    const isReopenable = (await commands.hexists(keys.turn(turnId).meta, 'fatal')) === 1;
    const kept = isReopenable ? ['state', 'ended-jobs', 'claims', 'payloads', 'conversations', 'replay'] : [];
    const names = left.map((key) => key.split(':').at(-1) ?? '').filter((name) => !kept.includes(name));
    expect(new Set(names)).toEqual(new Set(['meta', 'trace']));
    await until(
      async () => (await commands.zscore(keys.shard(keys.shardOf(turnId)).live, turnId)) === null,
      5000,
      'the turn has left the live set',
    );
    await until(
      async () => (await commands.xlen(keys.shard(keys.shardOf(turnId)).results)) === 0,
      5000,
      'no result is left',
    );
  };
  afterEach(async () => cluster.close());
  afterAll(async () => redis?.stop());

  it('runs a turn of three steps to its end and leaves its trace', async () => {
    const { orchestrator, worker, submit, outcome, executed, events } = await start((job) => {
      if (job.kind === 'generate') return { text: `said: ${job.instruction}` };
      if (job.kind === 'call') return { text: `ground ${JSON.stringify(job.args)}` };
      return {};
    });
    await orchestrator();
    await worker();
    await worker('mill');
    const turnId = await submit(
      skillOf(`
- name: greet
  instruction: Greet {{guest}}.
  save_as: greeting
- name: grind
  call: {tool: "mill:grind", args: {what: "{{greeting}}"}, save_as: flour}
- name: answer
  instruction: "Use {{flour}}."
`),
      { vars: { guest: 'Ottilie' } },
    );
    const end = await outcome(turnId);
    expect(end).toMatchObject({
      status: 'completed',
      answer: 'said: Use ground {"what":"said: Greet Ottilie."}.',
      usage: { generations: 2, calls: 1 },
    });
    expect(executed.map((job) => job.id)).toEqual([`${turnId}.0.g0.0`, `${turnId}.1.c`, `${turnId}.2.g0.0`]);
    const trace = await events(turnId);
    expect(trace.map((event) => event.type)).toEqual([
      'turn.started',
      'step.started',
      'step.finished',
      'step.started',
      'step.finished',
      'step.started',
      'step.finished',
      'turn.finished',
    ]);
    await expectTidy(turnId);
  });

  it('fans a loop out over the workers and gives the answer of the sequential run', async () => {
    const { orchestrator, worker, submit, outcome, executed } = await start((job) =>
      job.kind === 'call' ? { text: `<${job.args['item'] as string}>` } : {},
    );
    await orchestrator();
    await worker('oven');
    const items = Array.from({ length: 150 }, (_, index) => `loaf ${index}`);
    const turnId = await submit(
      skillOf(`
- for_each:
    in: loaves
    as: loaf
    collect: baked
    max_iterations: 200
    steps:
      - call: {tool: "oven:bake", args: {item: "{{loaf}}"}, save_as: baked}
- set: {var: answer, value: "{{baked}}"}
`),
      { vars: { loaves: items.join('\n') } },
    );
    const end = await outcome(turnId);
    expect(end.answer).toBe(items.map((item) => `<${item}>`).join('\n\n'));
    expect(executed).toHaveLength(150);
    await expectTidy(turnId);
  });

  it('applies a result that is delivered twice only once (Q4)', async () => {
    const { connection, orchestrator, worker, submit, outcome, executed, events } = await start((job) =>
      job.kind === 'generate'
        ? { text: `answer of ${job.step}`, usage: { inputTokens: 5, outputTokens: 2 } }
        : {},
    );
    await orchestrator();
    const turnId = await submit(
      skillOf('- {name: one, instruction: One., save_as: a}\n- {name: two, instruction: "Two, {{a}}."}'),
    );
    const first = `${turnId}.0.g0.0` as JobId;
    await until(
      () => connection.redis.hexists(connection.keys.turn(turnId).jobs, first),
      5000,
      'the first job',
    );
    for (const text of ['mine', 'mine', 'another']) {
      await postResult(connection, {
        jobId: first,
        status: 'ok',
        text,
        usage: { inputTokens: 5, outputTokens: 2 },
      });
    }
    await worker();
    const end = await outcome(turnId);
    expect(end).toMatchObject({ status: 'completed', vars: { a: 'mine', answer: 'answer of two' } });
    expect(end.usage).toMatchObject({ generations: 2, inputTokens: 10, outputTokens: 4 });
    expect(executed.map((job) => job.step)).toEqual(['two']);
    expect((await events(turnId)).filter((event) => event.type === 'step.finished')).toHaveLength(2);
    await expectTidy(turnId);
  });

  it('sends tickets behind the commit that asks for their jobs (Q2)', async () => {
    const { orchestrator, worker, submit, outcome, connection } = await start(() => ({ text: 'done' }));
    const monitor = await connection.redis.monitor();
    const seen: string[][] = [];
    monitor.on('monitor', (_time: string, args: string[]) => void seen.push(args));
    await orchestrator();
    await worker();
    const steps = '- {name: one, instruction: One.}\n- {name: two, instruction: Two.}';
    const turns = await Promise.all(Array.from({ length: 20 }, () => submit(skillOf(steps))));
    for (const turnId of turns) expect(await outcome(turnId)).toMatchObject({ status: 'completed' });
    monitor.disconnect();
    const first = (command: string, key: string, id: string): number =>
      seen.findIndex(([name, on = '', ...rest]) => name === command && on.endsWith(key) && rest.includes(id));
    for (const id of turns.flatMap((turnId) => [`${turnId}.0.g0.0`, `${turnId}.1.g0.0`])) {
      const committed = first('HSET', ':jobs', id);
      expect(committed).toBeGreaterThanOrEqual(0);
      expect(first('LPUSH', ':wait', id)).toBeGreaterThan(committed);
    }
  });

  it('runs a turn once that is submitted twice under the same id', async () => {
    const { orchestrator, worker, submit, outcome, executed } = await start(() => ({ text: 'done' }));
    const skill = skillOf('- instruction: Go.');
    await submit(skill, { turnId: 'same' });
    await submit(skill, { turnId: 'same' });
    await orchestrator();
    await worker();
    const turnId = await submit(skill, { turnId: 'same' });
    await outcome(turnId);
    expect(executed).toHaveLength(1);
    await submit(skill, { turnId: 'same' });
    expect((await cluster.client.readTurn(turnId)).status).toBe('completed');
    await expectTidy(turnId);
  });

  it('carries a value of a megabyte by reference, and whole', async () => {
    const big = 'grain '.repeat(200_000);
    const seen: number[] = [];
    const { connection, orchestrator, worker, submit, outcome } = await start(async (job) => {
      if (job.kind !== 'generate') return {};
      seen.push(job.instruction.length);
      return { text: job.step === 'make' ? big : 'short' };
    });
    await orchestrator();
    await worker();
    const turnId = await submit(
      skillOf(
        '- {name: make, instruction: Make., save_as: made}\n- {name: use, instruction: "Use {{made}}"}',
      ),
    );
    expect(await outcome(turnId)).toMatchObject({
      status: 'completed',
      answer: 'short',
      vars: { made: big },
    });
    expect(seen).toEqual(['Make.'.length, 'Use '.length + big.length]);
    // BullMQ keeps nothing of it: the ticket holds no payload, and is gone.
    expect(await connection.redis.keys(`${connection.keys.queuePrefix('model')}:model:${turnId}*`)).toEqual(
      [],
    );
    await expectTidy(turnId);
  });

  it('cancels a turn: running work is aborted, queued work is withdrawn, the reason is told', async () => {
    const aborted: unknown[] = [];
    const { connection, client, orchestrator, worker, submit, outcome, executed } = await start(
      (_job, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(signal.reason);
            resolve({ status: 'error', error: { code: 'TURN_CANCELLED', message: 'aborted' } });
          });
        }),
    );
    await orchestrator();
    await worker('oven');
    const branches = Array.from({ length: 12 }, () => '      - - call: {tool: "oven:bake"}').join('\n');
    const turnId = await submit(skillOf(`- parallel:\n    branches:\n${branches}`));
    await until(() => executed.length === 8, 5000, 'eight calls under way');
    expect(await client.cancelTurn(turnId, 'the guest has left')).toBe(true);
    const end = await outcome(turnId);
    expect(end).toMatchObject({
      status: 'cancelled',
      error: { code: 'TURN_CANCELLED', message: 'the guest has left' },
    });
    await until(() => aborted.length === 8, 5000, 'every running call is aborted');
    const queued = `${connection.keys.queuePrefix('tool.oven')}:tool.oven`;
    await until(
      async () => (await connection.redis.llen(`${queued}:active`)) === 0,
      5000,
      'nothing is under way',
    );
    expect(await connection.redis.llen(`${queued}:wait`)).toBe(0);
    expect(executed).toHaveLength(8);
    expect(await client.cancelTurn(turnId)).toBe(false);
    await expectTidy(turnId);
  });

  it('cancels a turn that no orchestrator has started yet', async () => {
    const { client, orchestrator, submit, outcome, executed } = await start(() => ({}));
    const turnId = await submit(skillOf('- instruction: Go.'));
    await client.cancelTurn(turnId, 'never mind');
    await orchestrator();
    expect(await outcome(turnId)).toMatchObject({ status: 'cancelled', error: { message: 'never mind' } });
    expect(executed).toEqual([]);
    await expectTidy(turnId);
  });

  it('tries a generation again when the endpoint was away, and gives up with its reason', async () => {
    let failures = 2;
    const { orchestrator, worker, submit, outcome, executed } = await start((job) => {
      if (job.step !== 'hopeless' && failures-- <= 0) return { text: 'at last' };
      return { status: 'error', error: { code: 'MODEL_UNAVAILABLE', message: 'overloaded' } };
    });
    await orchestrator();
    await worker();
    const turnId = await submit(
      skillOf(
        '- {name: flaky, instruction: Go.}\n- {name: hopeless, instruction: Go., on_error: continue, save_as: note}',
      ),
    );
    expect(await outcome(turnId)).toMatchObject({
      status: 'completed',
      answer: 'at last',
      vars: { note: 'ERROR: overloaded' },
    });
    expect(executed.map((job) => job.step)).toEqual([
      'flaky',
      'flaky',
      'flaky',
      ...Array.from({ length: 4 }, () => 'hopeless'),
    ]);
    await expectTidy(turnId);
  });

  it('never repeats a call that may not run twice, when its worker dies in it (Q6)', async () => {
    const { connection, orchestrator, worker, submit, outcome, executed } = await start(
      () => new Promise(() => {}),
    );
    await orchestrator();
    const dying = await connect({ url: redis!.url, prefix: connection.keys.prefix });
    const { startStepWorker } = await import('@skillyard/queue');
    const calls: string[] = [];
    await startStepWorker({
      connection: dying,
      workerClass: 'mill',
      concurrency: 1,
      lockMs: 500,
      execute: (job) => {
        calls.push(job.id);
        return new Promise(() => {});
      },
    });
    const turnId = await submit(
      skillOf(
        '- {call: {tool: "mill:pay", save_as: paid}, on_error: continue, save_as: paid}\n- {set: {var: answer, value: "{{paid}}"}}',
      ),
    );
    await until(() => calls.length === 1, 5000, 'the call is under way');
    await dying.close();
    await worker('mill', { lockMs: 500 });
    const end = await outcome(turnId);
    expect(end.answer).toContain('ERROR: lost');
    expect(calls).toHaveLength(1);
    expect(executed).toEqual([]);
    await expectTidy(turnId);
  });

  it('ends a turn with LIMIT_EXCEEDED when its limit of seconds is over', async () => {
    const { orchestrator, submit, outcome } = await start(() => ({}));
    await orchestrator();
    const text = skillOf('- instruction: Nobody does this.').replace('2.4.1', '2.5.0');
    const turnId = await submit(text.replace('workflow:\n', 'workflow:\n  limits: {seconds: 1}\n'));
    expect(await outcome(turnId)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_EXCEEDED' } });
    await expectTidy(turnId);
  });

  it('refuses a skill that does not load, and says where it is wrong', async () => {
    const { orchestrator, submit, outcome, events } = await start(() => ({}));
    await orchestrator();
    const turnId = await submit('name: [');
    const end = await outcome(turnId);
    expect(end).toMatchObject({ status: 'failed', error: { code: 'SKILL_INVALID' } });
    expect(end.error?.message).toContain('test.yaml:1');
    expect((await events(turnId)).map((event) => event.type)).toEqual(['turn.finished']);
    await expectTidy(turnId);
  });

  it('fails a call to a server that the configuration does not have', async () => {
    const { orchestrator, submit, outcome } = await start(() => ({}), {});
    await orchestrator();
    const turnId = await submit(skillOf('- call: {tool: "mill:grind"}'));
    expect(await outcome(turnId)).toMatchObject({ status: 'failed', error: { code: 'SERVER_UNKNOWN' } });
    await expectTidy(turnId);
  });

  it('goes on watching after the event that was seen last', async () => {
    const { client, orchestrator, worker, submit, outcome } = await start(() => ({ text: 'done' }));
    await orchestrator();
    await worker();
    const turnId = await submit(skillOf('- instruction: Go.'));
    await outcome(turnId);
    const all = [];
    for await (const watched of client.watchTurn(turnId)) all.push(watched);
    expect(all).toHaveLength(4);
    expect(all.at(-1)?.outcome).toMatchObject({ status: 'completed', answer: 'done' });
    const rest = [];
    for await (const watched of client.watchTurn(turnId, { after: all[1]?.id ?? '' })) rest.push(watched);
    expect(rest).toEqual(all.slice(2));
    const none = [];
    for await (const watched of client.watchTurn(turnId, { after: all[3]?.id ?? '' })) none.push(watched);
    expect(none).toEqual([]);
    await expect(client.watchTurn('unheard-of' as TurnId).next()).rejects.toMatchObject({
      code: 'TURN_NOT_FOUND',
    });
  });

  describe('with delegates', () => {
    let folder: string;
    const write = async (name: string, steps: string): Promise<void> => {
      folder ??= await mkdtemp(join(tmpdir(), 'skillyard-skills-'));
      await writeFile(join(folder, `${name}.yaml`), skillOf(steps).replace('test-skill', name));
    };
    afterAll(async () => rm(folder, { recursive: true, force: true }));

    it('runs another skill as a turn of its own and takes its answer', async () => {
      await write('helper', '- instruction: "Help with {{input}}"');
      const { client, orchestrator, worker, submit, outcome } = await start(
        (job) => (job.kind === 'generate' ? { text: `done: ${job.instruction}` } : {}),
        { skills: [folder] },
      );
      await orchestrator();
      await worker();
      const turnId = await submit(
        skillOf(
          '- delegate: {skill: helper, task: the bread, save_as: help}\n- set: {var: answer, value: "{{help}}!"}',
        ),
        {
          turnId: 'parent',
        },
      );
      expect(await outcome(turnId)).toMatchObject({
        status: 'completed',
        answer: 'done: Help with the bread!',
      });
      const child = await client.readTurn('parent_0_d' as TurnId);
      expect(child).toMatchObject({ status: 'completed', parent: 'parent.0.d' });
      await expectTidy(turnId);
      await expectTidy(child.turnId);
    });

    it('stops skills that delegate to each other without end', async () => {
      await write('ping', '- delegate: {skill: pong, task: go, save_as: answer}');
      await write('pong', '- delegate: {skill: ping, task: go, save_as: answer}');
      const { orchestrator, submit, outcome } = await start(() => ({}), { skills: [folder] });
      await orchestrator();
      const turnId = await submit(skillOf('- delegate: {skill: ping, task: go, save_as: answer}'));
      const end = await outcome(turnId);
      expect(end).toMatchObject({ status: 'failed', error: { code: 'DELEGATE_FAILED' } });
      expect(end.error?.message).toContain('delegation 9 in a row');
    });

    it('cancels the delegated turn with the one that waits for it', async () => {
      await write('sleeper', '- instruction: Sleep.');
      const { client, orchestrator, submit, outcome } = await start(() => ({}), { skills: [folder] });
      await orchestrator();
      const turnId = await submit(skillOf('- delegate: {skill: sleeper, task: go}'), { turnId: 'waiting' });
      const child = 'waiting_0_d' as TurnId;
      await until(async () => (await client.readTurn(child)).status === 'running', 5000, 'the child runs');
      await client.cancelTurn(turnId);
      expect(await outcome(turnId)).toMatchObject({ status: 'cancelled' });
      expect(await outcome(child)).toMatchObject({ status: 'cancelled' });
    });
  });
});
