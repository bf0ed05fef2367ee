import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Config, StepJob, TraceEvent, TurnId } from '@skillyard/contracts';
import { LEASE_TIMES, type LeaseTimes, ResultsConsumer, submitTurn, TurnStore } from '@skillyard/queue';
import {
  killHard,
  type NodeProcess,
  type RedisServer,
  spawnNode,
  startRedis,
  until,
} from '@skillyard/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningOrchestrator } from '../src/index.ts';
import { type Answer, type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(async () => redis?.stop());

/** Long enough that nothing happens because a time is over. */
const PATIENT: LeaseTimes = { leaseMs: 60_000, renewMs: 20_000 };
const SHORT: LeaseTimes = { leaseMs: 1500, renewMs: 400 };
const CONFIG: Config = {
  servers: { mill: { url: 'http://mill' }, oven: { url: 'http://oven', effect: 'read' } },
  // Jobs are held back as where several tenants share the workers.
  tenants: {},
};
/** One generation, one call that must not be repeated, a loop of three calls, one generation: six jobs. */
const SKILL = skillOf(`
- {name: one, instruction: One., save_as: a}
- {name: pay, call: {tool: "mill:pay", args: {what: "{{a}}"}, save_as: b}}
- for_each:
    in: list
    as: item
    collect: got
    steps: [{call: {tool: "oven:look", args: {item: "{{item}}"}, save_as: got}}]
- {name: end, instruction: "{{b}} {{got}}"}
`);
const JOBS = 6;
const END = {
  status: 'completed',
  answer: 'did 1.c did 2.i0.0.c\n\ndid 2.i1.0.c\n\ndid 2.i2.0.c',
};
const answer: Answer = (job: StepJob) => ({
  text: job.kind === 'generate' ? job.instruction : `did ${job.id.split('.').slice(1).join('.')}`,
});

describe.skipIf(redis === undefined)('several orchestrators', () => {
  let cluster: Cluster;
  let processes: NodeProcess[];
  beforeEach(async () => {
    processes = [];
    cluster = await startCluster(redis!.url, (job, context) => gate.then(() => answer(job, context)), CONFIG);
    open();
  });
  afterEach(async () => {
    open();
    await Promise.all(processes.map(killHard));
    await cluster.close();
  });

  /** No job is done while it is shut. */
  let gate: Promise<void> = Promise.resolve();
  let open: () => void = () => {};
  const shut = (): void => {
    gate = new Promise((resolve) => (open = resolve));
  };
  const workers = async (): Promise<void> => {
    await Promise.all(['model', 'mill', 'oven'].map((one) => cluster.worker(one)));
  };
  const submit = (count: number, name = 'turn'): Promise<TurnId[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        cluster.submit(SKILL, { turnId: `${name}-${index}`, vars: { list: 'x\ny\nz' } }),
      ),
    );
  const launch = async (times: LeaseTimes): Promise<NodeProcess> => {
    const script = fileURLToPath(new URL('orchestrator-process.ts', import.meta.url));
    const { prefix } = cluster.connection.keys;
    const args = [redis!.url, prefix, String(times.leaseMs), String(times.renewMs)];
    const started = spawnNode(script, args);
    processes.push(started);
    await started.wrote('ready');
    return started;
  };
  const shared = (orchestrators: readonly RunningOrchestrator[]): Promise<true> =>
    until(
      () => {
        const counts = orchestrators.map(({ shards }) => shards.length);
        const total = counts.reduce((sum, count) => sum + count, 0);
        return total === 16 && Math.max(...counts) - Math.min(...counts) <= 1;
      },
      10_000,
      'the shards are shared',
    );
  const executed = (count: number): Promise<true> =>
    until(() => cluster.executed.length >= count, 20_000, `${count} jobs are done`);

  const shapeOf = (events: readonly TraceEvent[]): string[] =>
    events.map((event) => ('step' in event ? `${event.type} ${String(event.step)}` : event.type)).toSorted();
  /** Every turn ended right, and what was done for it was done once. */
  const expectAllRight = async (turns: readonly TurnId[]): Promise<void> => {
    const shapes = new Set<string>();
    for (const turnId of turns) {
      expect(await cluster.outcome(turnId)).toMatchObject(END);
      shapes.add(shapeOf(await cluster.events(turnId)).join());
    }
    expect(shapes.size).toBe(1);
    const ids = cluster.executed.map(({ id }) => id);
    expect(new Set(ids).size).toBe(turns.length * JOBS);
    expect(ids).toHaveLength(turns.length * JOBS);
    const { keys, redis: commands } = cluster.connection;
    for (let shard = 0; shard < keys.shards; shard++) {
      await until(
        async () =>
          (await commands.xlen(keys.shard(shard).results)) === 0 &&
          (await commands.zcard(keys.shard(shard).live)) === 0,
        5000,
        `nothing is left of shard ${shard}`,
      );
    }
  };

  it('share the turns: each runs those of its own shards, wherever they were taken from the queue (O4)', async () => {
    const started: { by: number; turnId: TurnId }[] = [];
    const logOf = (by: number) =>
      pino(
        { level: 'info' },
        new Writable({
          write: (line: Buffer, _encoding, done) => {
            const entry = JSON.parse(line.toString()) as { msg: string; turnId: TurnId };
            if (entry.msg === 'turn started') started.push({ by, turnId: entry.turnId });
            done();
          },
        }),
      );
    const both = [
      await cluster.orchestrator({ leases: PATIENT, log: logOf(0) }),
      await cluster.orchestrator({ leases: PATIENT, log: logOf(1) }),
    ];
    await shared(both);
    await workers();
    const turns = await submit(60);
    await expectAllRight(turns);
    expect(started).toHaveLength(60);
    const { keys } = cluster.connection;
    for (const { by, turnId } of started) expect(both[by]?.shards).toContain(keys.shardOf(turnId));
    expect(new Set(started.map(({ by }) => by)).size).toBe(2);
  });

  it('take over at once from one that stops, in the middle of its turns', async () => {
    const first = await cluster.orchestrator({ leases: PATIENT });
    const second = await cluster.orchestrator({ leases: PATIENT });
    await shared([first, second]);
    await workers();
    const turns = await submit(40);
    await executed(60);
    await first.close();
    await until(() => second.shards.length === 16, 2000, 'the second has all shards');
    await expectAllRight(turns);
  });

  it('make room for a third one', async () => {
    const all = [
      await cluster.orchestrator({ leases: PATIENT }),
      await cluster.orchestrator({ leases: PATIENT }),
    ];
    await shared(all);
    await workers();
    const turns = await submit(40);
    await executed(60);
    all.push(await cluster.orchestrator({ leases: PATIENT }));
    await shared(all);
    await expectAllRight(turns);
  });

  it('take over within ten seconds from one that is killed, and go on with its turns (real times)', async () => {
    const victim = await launch(LEASE_TIMES);
    await workers();
    shut();
    const turns = await submit(40);
    await executed(8);
    const survivor = await cluster.orchestrator();
    await until(() => survivor.shards.length === 8, 10_000, 'both have eight shards');
    await killHard(victim);
    const killedAtMs = performance.now();
    open();
    await until(() => survivor.shards.length === 16, 10_000, 'the survivor has all shards');
    process.stdout.write(`takeover after ${Math.round(performance.now() - killedAtMs)} ms\n`);
    await expectAllRight(turns);
  }, 40_000);

  it('take over from one that hangs; when it wakes up it does no harm and takes its share again', async () => {
    const survivor = await cluster.orchestrator({ leases: SHORT });
    const hung = await launch(SHORT);
    await until(() => survivor.shards.length === 8, 10_000, 'both have eight shards');
    await workers();
    const turns = await submit(60);
    await executed(100);
    hung.child.kill('SIGSTOP');
    await until(() => survivor.shards.length === 16, 10_000, 'the survivor has all shards');
    await executed(200);
    hung.child.kill('SIGCONT');
    await until(() => survivor.shards.length === 8, 10_000, 'both have eight shards');
    await expectAllRight(turns);
  }, 40_000);

  it('come and go while 200 turns run', async () => {
    const start = (): Promise<RunningOrchestrator> => cluster.orchestrator({ leases: PATIENT });
    const running = [await start(), await start()];
    await workers();
    const turns = await submit(200);
    for (const share of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
      await executed(share * 200 * JOBS);
      if (running.length < 3) running.push(await start());
      else await Promise.all([running.shift()?.close(), running.shift()?.close()]);
    }
    await expectAllRight(turns);
    await shared(running);
  }, 60_000);

  it('start a turn whose message was taken by one that died', async () => {
    const [turnId] = await submit(1);
    const { connection } = cluster;
    // What a dead owner leaves: a message that was given to it, and that nobody acknowledges.
    const dead = new ResultsConsumer({ connection });
    dead.open();
    await until(async () => (await dead.next(false)).length > 0, 5000, 'the message is taken');
    dead.close();
    const taken = performance.now();
    await workers();
    await cluster.orchestrator({ leases: PATIENT });
    await expectAllRight([turnId!]);
    expect(performance.now() - taken).toBeLessThan(PATIENT.leaseMs / 2);
  });
});

describe.skipIf(redis === undefined)('a commit', () => {
  it('of an owner that was replaced is refused, and one without a lease is not even sent (Q1, L5)', async () => {
    const { connection, close } = await startCluster(redis!.url, answer);
    const turnId = 'fenced' as TurnId;
    try {
      const request = { turnId, skillText: SKILL, file: 'test.yaml', vars: {} };
      await submitTurn(connection, request, 0);
      const storeOf = (epoch: number | null): TurnStore => new TurnStore(connection, { epoch: () => epoch });
      const nothing = { written: [], removed: [], events: [], asked: [], settled: [], outcome: null };
      const commit = (epoch: number | null, version: number): Promise<(number | null)[]> =>
        storeOf(epoch).commit([{ turnId, version, ...nothing }], 0);
      expect(await commit(6, 0)).toEqual([1]);
      expect(await commit(5, 1)).toEqual([null]);
      expect(await commit(null, 1)).toEqual([null]);
      expect(await commit(7, 0)).toEqual([null]);
      expect(await commit(7, 1)).toEqual([2]);
      expect(await commit(6, 2)).toEqual([null]);
    } finally {
      await close();
    }
  });
});
