import { fileURLToPath } from 'node:url';
import {
  type Config,
  type JobId,
  NO_ORIGIN,
  type StepJob,
  type TenantConfig,
  type TurnId,
  turnOfJob,
} from '@skillyard/contracts';
import { explainTurn, HeldJobs, MODEL_CLASS, postCancel } from '@skillyard/queue';
import {
  killHard,
  type NodeProcess,
  type RedisServer,
  spawnNode,
  startRedis,
  until,
} from '@skillyard/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Answer, type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(async () => redis?.stop());

/** Jobs that the worker of a test runs at once, and as many again that wait in its queue. */
const CAPACITY = 4;
const SLACK = 4;
const ROOM = CAPACITY + SLACK;

const STEP = skillOf('- {name: one, instruction: One.}');
/** Asks for all its iterations at once. */
const loopOf = (concurrency: number): string =>
  skillOf(`
- for_each:
    in: list
    as: item
    max_iterations: 10000
    concurrency: ${concurrency}
    steps: [{name: look, instruction: "Look at {{item}}"}]
`).replace('2.4.1', '2.5.0');
const listOf = (count: number): string => Array.from({ length: count }, (_, index) => `i${index}`).join('\n');

describe.skipIf(redis === undefined)('tenants that share the workers of a class', () => {
  let cluster: Cluster;
  let victim: NodeProcess | undefined;
  afterEach(async () => {
    open();
    if (victim !== undefined) await killHard(victim);
    victim = undefined;
    await cluster.close();
  });

  /** No job is done while it is shut. */
  let gate: Promise<void> = Promise.resolve();
  let open: () => void = () => {};
  const shut = (): void => {
    gate = new Promise((resolve) => (open = resolve));
  };

  const start = async (tenants: Record<string, TenantConfig> = {}): Promise<void> => {
    const config: Config = { tenants };
    shut();
    cluster = await startCluster(redis!.url, (job) => gate.then(() => ({ text: job.id })), config);
    await cluster.worker(MODEL_CLASS, { concurrency: CAPACITY });
  };
  const submit = (
    tenant: string,
    skill: string,
    more: { turnId?: string; items?: number; priority?: number } = {},
  ) =>
    cluster.submit(skill, {
      origin: { ...NO_ORIGIN, tenant, priority: more.priority ?? NO_ORIGIN.priority },
      ...(more.items !== undefined && { vars: { list: listOf(more.items) } }),
      ...(more.turnId !== undefined && { turnId: more.turnId }),
    });
  const asked = (turnId: TurnId, count: number): Promise<true> =>
    until(
      async () => (await cluster.connection.redis.hlen(cluster.connection.keys.turn(turnId).jobs)) >= count,
      10_000,
      `${turnId} asks for ${count} jobs`,
    );
  /** The one job of a turn has a ticket in the queue of its class. */
  const queued = async (turnId: TurnId): Promise<void> => {
    await asked(turnId, 1);
    const { redis: commands, keys } = cluster.connection;
    const [jobId = ''] = await commands.hkeys(keys.turn(turnId).jobs);
    const key = `${keys.queuePrefix(MODEL_CLASS)}:${MODEL_CLASS}:${jobId}`;
    await until(async () => (await commands.exists(key)) === 1, 5000, `${jobId} is in its queue`);
  };
  const executed = (count: number): Promise<true> =>
    until(() => cluster.executed.length >= count, 20_000, `${count} jobs are started`);
  const turnsOf = (jobs: readonly StepJob[]): TurnId[] => jobs.map(({ id }) => turnOfJob(id));
  const held = async (): Promise<number> => (await new HeldJobs(cluster.connection).read(MODEL_CLASS)).held;

  it('let a single step go after a few jobs of a loop of 10,000 items', async () => {
    await start();
    await cluster.orchestrator();
    const loop = await submit('big', loopOf(1000), { items: 10_000 });
    await asked(loop, 1000);
    await executed(CAPACITY);
    await until(async () => (await held()) === 1000 - ROOM, 5000, 'the others know what is held');
    const { jobs } = await explainTurn(cluster.connection, loop);
    expect(jobs.find(({ hold }) => hold === 'tenant-share')?.why).toBe(
      'it waits for the share of tenant big in class model: 8 of its jobs are with the workers or in their queue, 992 wait',
    );
    const single = await submit('small', STEP);
    await queued(single);
    const before = cluster.executed.length;
    open();
    await cluster.outcome(single);
    const at = turnsOf(cluster.executed).indexOf(single);
    expect(at - before).toBeLessThanOrEqual(SLACK);

    await postCancel(cluster.connection, loop, { code: 'TURN_CANCELLED', message: 'enough' });
    expect(await cluster.outcome(loop)).toMatchObject({ status: 'cancelled' });
    await until(async () => (await held()) === 0, 5000, 'nothing is held any more');
  });

  it('share them by weight', async () => {
    await start({ heavy: { weight: 3 } });
    await cluster.orchestrator();
    const turns = [
      await submit('light', loopOf(400), { items: 400, turnId: 'light' }),
      await submit('heavy', loopOf(400), { items: 400, turnId: 'heavy' }),
    ];
    await Promise.all(turns.map((turnId) => asked(turnId, 400)));
    open();
    await executed(340);
    const some = turnsOf(cluster.executed.slice(40, 340)).filter((turnId) => turnId === 'heavy');
    expect(some.length).toBeGreaterThan(210);
    expect(some.length).toBeLessThan(240);
    for (const turnId of turns) expect(await cluster.outcome(turnId)).toMatchObject({ status: 'completed' });
  });

  it('share them by weight over several orchestrators, too', async () => {
    await start({ heavy: { weight: 3 } });
    const first = await cluster.orchestrator();
    const second = await cluster.orchestrator();
    await until(
      () => first.shards.length === 8 && second.shards.length === 8,
      10_000,
      'the shards are shared',
    );
    const idOf = (name: string, shards: readonly number[]): string => {
      for (let index = 0; ; index++) {
        const id = `${name}-${index}`;
        if (shards.includes(cluster.connection.keys.shardOf(id as TurnId))) return id;
      }
    };
    const heavy = await submit('heavy', loopOf(800), { items: 800, turnId: idOf('heavy', first.shards) });
    const light = await submit('light', loopOf(800), { items: 800, turnId: idOf('light', second.shards) });
    const owners = async (): Promise<number> =>
      (await new HeldJobs(cluster.connection).byOwner(MODEL_CLASS)).size;
    await until(async () => (await owners()) === 2, 5000, 'both know of each other');
    await until(async () => (await held()) > 0, 5000, 'both hold jobs');
    open();
    await executed(1000);
    const some = turnsOf(cluster.executed.slice(0, 1000)).filter((turnId) => turnId === heavy);
    expect(some.length).toBeGreaterThan(550);
    for (const turnId of [heavy, light]) {
      expect(await cluster.outcome(turnId)).toMatchObject({ status: 'completed' });
    }
  });

  it('do not wait for the next attempts of others while workers are idle', async () => {
    const error = { code: 'MODEL_UNAVAILABLE', message: 'not now', retryAfterMs: 60_000 };
    const answer: Answer = ({ id }) =>
      turnOfJob(id) === 'later' ? { status: 'error', error } : { text: id };
    cluster = await startCluster(redis!.url, answer, { tenants: {} });
    await cluster.worker(MODEL_CLASS, { concurrency: CAPACITY });
    await cluster.orchestrator();
    await submit('one', loopOf(ROOM), { items: ROOM, turnId: 'later' });
    await executed(ROOM);
    const turns = await Promise.all([submit('one', STEP), submit('other', STEP)]);
    for (const turnId of turns) expect(await cluster.outcome(turnId)).toMatchObject({ status: 'completed' });
  });

  it('have no more in flight than their limit, and keep nobody else waiting', async () => {
    await start({ few: { jobs_in_flight: 2 } });
    await cluster.orchestrator();
    const limited = await submit('few', loopOf(50), { items: 50 });
    await asked(limited, 50);
    await executed(2);
    const other = await submit('other', STEP);
    await executed(3);
    expect(turnsOf(cluster.executed)).toEqual([limited, limited, other]);
    open();
    for (const turnId of [limited, other]) {
      expect(await cluster.outcome(turnId)).toMatchObject({ status: 'completed' });
    }
  });

  it('have their turns of higher priority go first', async () => {
    await start();
    await cluster.orchestrator();
    const loop = await submit('one', loopOf(200), { items: 200 });
    await asked(loop, 200);
    await executed(CAPACITY);
    const urgent = await submit('one', STEP, { priority: 9 });
    const patient = await submit('one', STEP, { priority: 0 });
    await Promise.all([asked(urgent, 1), asked(patient, 1)]);
    open();
    for (const turnId of [urgent, patient, loop]) await cluster.outcome(turnId);
    const order = turnsOf(cluster.executed);
    expect(order.indexOf(urgent)).toBeLessThanOrEqual(ROOM + 1);
    // It is taken last. Those that were taken just before it may still be asking for their jobs.
    expect(order.indexOf(patient)).toBeGreaterThan(201 - CAPACITY);
  });

  it('lose nothing when the orchestrator that holds their jobs is killed', async () => {
    await start();
    const script = fileURLToPath(new URL('orchestrator-process.ts', import.meta.url));
    victim = spawnNode(script, [redis!.url, cluster.connection.keys.prefix, '1500', '400']);
    await victim.wrote('ready');
    const turns = [
      await submit('a', loopOf(300), { items: 300 }),
      await submit('b', loopOf(300), { items: 300 }),
    ];
    await Promise.all(turns.map((turnId) => asked(turnId, 300)));
    open();
    await executed(100);
    await killHard(victim);
    await cluster.orchestrator();
    for (const turnId of turns) expect(await cluster.outcome(turnId)).toMatchObject({ status: 'completed' });
    const ids: JobId[] = cluster.executed.map(({ id }) => id);
    expect(ids).toHaveLength(600);
    expect(new Set(ids).size).toBe(600);
  }, 30_000);
});
