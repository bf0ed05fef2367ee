/** Turns whose jobs fail at random, in branches and iterations at once, and are reopened until they are completed. */
import type { Config, JobId, StepJob, StepResult, TurnId } from '@skillyard/contracts';
import { assembleTrace } from '@skillyard/engine';
import { Operator, TurnStore } from '@skillyard/queue';
import { type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();

/** What the mill does must not happen twice; the oven may be asked again. */
const SERVERS: Config = {
  servers: { mill: { url: 'http://mill' }, oven: { url: 'http://oven', effect: 'read' } },
};
const FLOW = skillOf(`
- parallel:
    branches:
      - - for_each:
            in: loaves
            as: loaf
            collect: sold
            concurrency: 3
            steps:
              - {call: {tool: "oven:bake", args: {what: "{{loaf}}"}, save_as: bread}}
              - {call: {tool: "mill:sell", args: {what: "{{loaf}}"}, save_as: paid}}
              - {instruction: "Pack {{loaf}}", save_as: sold}
      - - {call: {tool: "mill:pay", save_as: receipt}}
        - {call: {tool: "oven:look", save_as: look}}
        - {instruction: "Thank for {{look}}", save_as: thanks}
- set: {var: answer, value: "{{sold}}, {{thanks}}"}
`).replace('2.4.1', '2.5.0');
const ANSWER = 'Pack a\n\nPack b\n\nPack c\n\nPack d, Thank for ok';

const TURNS = 15;
/** Failures of one job out of so many, until a turn has been reopened so often. */
const SHARE = 0.15;
const CALM_AFTER = 12;
const MOST_MS = 25;
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** Numbers in [0, 1) that the seed decides. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe.skipIf(redis === undefined)('turns that fail at random and are reopened', () => {
  let cluster: Cluster;
  afterAll(async () => {
    await cluster?.close();
    await redis?.stop();
  });

  it(`end as if nothing had failed, and no call is made twice that must not be (seed ${SEED})`, async () => {
    const random = randomFrom(SEED);
    const started = new Map<JobId, number>();
    let isCalm = false;
    const answer = async (job: StepJob, signal: AbortSignal): Promise<Partial<StepResult>> => {
      started.set(job.id, (started.get(job.id) ?? 0) + 1);
      await new Promise<void>((resolve) => {
        setTimeout(resolve, random() * MOST_MS);
        signal.addEventListener('abort', () => resolve());
      });
      if (!isCalm && random() < SHARE)
        return { status: 'error', error: { code: 'TOOL_FAILED', message: 'broken' } };
      return { text: job.kind === 'generate' ? job.instruction : 'ok' };
    };
    cluster = await startCluster(redis!.url, (job, { signal }) => answer(job, signal), SERVERS);
    const { connection, outcome, submit, events } = cluster;
    await cluster.orchestrator();
    for (const workerClass of [undefined, 'mill', 'oven']) await cluster.worker(workerClass);
    const operator = new Operator(connection);
    const store = new TurnStore(connection);

    /** Reopens a turn by one of the jobs that ended it. */
    const reopen = async (turnId: TurnId): Promise<void> => {
      const fatal = (await store.read(turnId))?.fatal ?? [];
      const one = fatal[Math.floor(random() * fatal.length)];
      if (one === undefined) throw new Error(`nothing ended turn ${turnId}`);
      if (one.mayRepeat) await operator.resolve(one.jobId, { how: 'value', text: 'ok' }, 'anna');
      else await operator.redrive(one.jobId, 'anna');
    };

    for (let serial = 0; serial < TURNS; serial++) {
      isCalm = false;
      const turnId = await submit(FLOW, { vars: { loaves: 'a\nb\nc\nd' } });
      let ended = await outcome(turnId);
      for (let times = 1; ended.status !== 'completed'; times++) {
        isCalm = times > CALM_AFTER;
        await reopen(turnId);
        ended = await outcome(turnId);
      }
      expect(ended.answer).toBe(ANSWER);
      const { steps, notices } = assembleTrace(await events(turnId));
      const paths = [...steps, ...notices].map(({ path }) => path);
      expect(paths.toSorted()).toEqual([...new Set(paths)].toSorted());
      expect(await connection.redis.keys(`${connection.keys.prefix}:{${turnId}}:*`)).toHaveLength(2);
    }
    const once = cluster.executed.filter((job) => job.kind === 'call' && job.server === 'mill');
    expect(once.length).toBeGreaterThanOrEqual(TURNS);
    expect(once.map(({ id }) => [id, started.get(id)])).toEqual(once.map(({ id }) => [id, 1]));
  }, 120_000);
});
