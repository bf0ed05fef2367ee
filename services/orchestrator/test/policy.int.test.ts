import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, type JobId, NO_ORIGIN, type StepJob, type TurnOrigin } from '@skillyard/contracts';
import { Operator, RedisToolCatalog } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();
let folder: string;
let config: Config;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-policy-'));
  await writeFile(
    join(folder, 'policy.yaml'),
    'roles:\n  baker: {allow: ["mill:grind", oven], deny: ["oven:clean"]}\n  tester: {allow: ["*"]}\n',
  );
  await writeFile(
    join(folder, 'child.yaml'),
    skillOf('- {name: burn, call: {tool: "mill:burn"}}').replace('name: test-skill', 'name: child'),
  );
  config = {
    servers: { mill: { url: 'http://127.0.0.1:1/mcp' }, oven: { url: 'http://127.0.0.1:1/mcp' } },
    policy: join(folder, 'policy.yaml'),
    skills: [folder],
  };
});
afterAll(async () => {
  await redis?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function withCluster(answer: Answer, work: (cluster: Cluster) => Promise<void>): Promise<void> {
  const cluster = await startCluster(redis!.url, answer, config);
  try {
    await cluster.orchestrator();
    for (const workerClass of ['model', 'mill', 'oven']) await cluster.worker(workerClass);
    await work(cluster);
  } finally {
    await cluster.close();
  }
}

function originOf(...roles: string[]): { origin: TurnOrigin } {
  return { origin: { ...NO_ORIGIN, subject: 'key:k', roles } };
}

function callsOf({ executed }: Cluster): string[] {
  return executed.flatMap((job) => (job.kind === 'call' ? [`${job.server}:${job.tool}`] : []));
}

/** The tools that each generation was offered. */
function offered({ executed }: Cluster): (readonly string[] | null)[] {
  return executed.flatMap((job: StepJob) => (job.kind === 'generate' ? [job.tools] : []));
}

describe.skipIf(redis === undefined)('the policy', () => {
  it('denies a call of the flow with STEP_DENIED, and no worker sees it', async () => {
    await withCluster(
      () => ({}),
      async (cluster) => {
        const skill = skillOf(
          '- {name: grind, call: {tool: "mill:grind"}}\n- {name: burn, call: {tool: "mill:burn"}}',
        );
        const denied = await cluster.outcome(await cluster.submit(skill, originOf('baker')));
        expect(denied).toMatchObject({
          status: 'denied',
          error: {
            code: 'STEP_DENIED',
            message: expect.stringContaining('does not let the role baker reach mill:burn') as string,
          },
        });
        expect(callsOf(cluster)).toEqual(['mill:grind']);
        const allowed = await cluster.outcome(await cluster.submit(skill, originOf('tester')));
        expect(allowed.status).toBe('completed');
        expect((await cluster.outcome(await cluster.submit(skill))).status).toBe('completed');
      },
    );
  });

  it('answers a denied job after the crash of the orchestrator that asked for it', async () => {
    const cluster = await startCluster(redis!.url, () => ({}), config);
    try {
      // Dies between the commit of the job and its answer.
      let commits = 0;
      const first = await cluster.orchestrator({
        onTransition: (name) => {
          if (name !== 'commit.after') return Promise.resolve();
          commits++;
          return Promise.reject(new Error('power cut'));
        },
      });
      const turnId = await cluster.submit(skillOf('- {call: {tool: "mill:burn"}}'), originOf('baker'));
      await until(() => Promise.resolve(commits > 0), 5000, 'the commit of the job');
      await first.close();
      await cluster.orchestrator();
      expect(await cluster.outcome(turnId)).toMatchObject({ status: 'denied' });
      expect(callsOf(cluster)).toEqual([]);
    } finally {
      await cluster.close();
    }
  });

  it('offers a model only what its roles may reach, and denies what it calls all the same', async () => {
    const answer: Answer = (job) =>
      job.kind === 'generate' && job.round === 0
        ? {
            toolRequests: [
              { callId: '1', server: 'mill', tool: 'burn', args: {} },
              { callId: '2', server: 'mill', tool: 'grind', args: {} },
              { callId: '3', server: 'oven', tool: 'clean', args: {} },
            ],
          }
        : { text: job.kind === 'generate' ? JSON.stringify(job.replies) : 'done' };
    await withCluster(answer, async (cluster) => {
      const catalog = new RedisToolCatalog<{ tool: string }>(cluster.connection);
      await catalog.publish('oven', { tools: [{ tool: 'bake' }, { tool: 'clean' }], effects: {} });
      const skill = skillOf('- {name: ask, instruction: bake a bread, save_as: answer}');
      const turnId = await cluster.submit(skill, originOf('baker'));
      expect((await cluster.outcome(turnId)).status).toBe('completed');
      // Nobody has published the tools of the mill: it stays, and its calls are judged one by one.
      expect(offered(cluster)).toEqual([
        ['mill', 'oven:bake'],
        ['mill', 'oven:bake'],
      ]);
      expect(callsOf(cluster)).toEqual(['mill:grind']);
      const last = cluster.executed.findLast((job) => job.kind === 'generate');
      expect(last?.kind === 'generate' ? last.replies : []).toMatchObject([
        { callId: '1', failed: true, text: expect.stringMatching(/^DENIED: .*mill:burn/) as string },
        { callId: '2', failed: false },
        { callId: '3', failed: true, text: expect.stringMatching(/^DENIED: .*oven:clean/) as string },
      ]);
    });
  });

  it('goes with a turn to what it delegates to', async () => {
    await withCluster(
      () => ({}),
      async (cluster) => {
        const skill = skillOf('- {name: hand over, delegate: {skill: child, task: go}}');
        const denied = await cluster.outcome(await cluster.submit(skill, originOf('baker')));
        expect(denied.status).not.toBe('completed');
        expect(JSON.stringify(denied)).toContain('mill:burn');
        expect(callsOf(cluster)).toEqual([]);
        const allowed = await cluster.outcome(await cluster.submit(skill, originOf('tester')));
        expect(allowed.status).toBe('completed');
      },
    );
  });

  it('denies an asset that is read from a tool server, whatever its fetch policy says', async () => {
    await withCluster(
      () => ({ text: 'done' }),
      async (cluster) => {
        const skill = skillOf('- {name: ask, instruction: "{{asset:rates}}", tools: []}').replace(
          'workflow:\n',
          'workflow:\n  assets: {rates: {source: mcp, ref: "mill:rates", fetch: {on_unavailable: empty}}}\n',
        );
        const denied = await cluster.outcome(await cluster.submit(skill, originOf('baker')));
        expect(denied.status).not.toBe('completed');
        expect(JSON.stringify(denied)).toContain('does not let the role baker reach mill:rates');
        expect(cluster.executed).toEqual([]);
        const allowed = await cluster.outcome(await cluster.submit(skill, originOf('tester')));
        expect(allowed.status).toBe('completed');
      },
    );
  });

  it('denies a job again that is redriven, and no worker sees it', async () => {
    await withCluster(
      () => ({}),
      async (cluster) => {
        const skill = skillOf('- {name: burn, call: {tool: "mill:burn"}}');
        const turnId = await cluster.submit(skill, originOf('baker'));
        expect((await cluster.outcome(turnId)).status).toBe('denied');
        const operator = new Operator(cluster.connection);
        const jobId = `${turnId}.0.c` as JobId;
        await until(async () => (await operator.inspect(jobId)).job !== null, 5000, 'the failed job');
        await operator.resolve(jobId, { how: 'rerun' }, 'test');
        await until(async () => (await cluster.client.readTurn(turnId)).status === 'denied', 5000, 'its end');
        expect(callsOf(cluster)).toEqual([]);
      },
    );
  });

  it('that is wrong stops the start of an orchestrator with CONFIG_INVALID', async () => {
    const file = join(folder, 'wrong.yaml');
    await writeFile(file, 'roles: {baker: {allow: [mil]}}\n');
    const cluster = await startCluster(redis!.url, () => ({}), { ...config, policy: file });
    await expect(cluster.orchestrator()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await cluster.close();
  });
});
