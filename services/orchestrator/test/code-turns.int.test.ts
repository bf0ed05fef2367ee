import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Config,
  type Decision,
  type Directive,
  type JobId,
  NO_ORIGIN,
  type StepJob,
  type StepResult,
  type TurnId,
} from '@skillyard/contracts';
import { createExecutors } from '@skillyard/executors';
import { childTurnId, Operator, Questions } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Cluster, skillOf, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();
const SHA = 'a'.repeat(64);

const codeSkill = (name: string, limits = '{}'): string => `skill_engine_version: "2.5.0"
name: ${name}
description: Code of a test.
mode: code
servers: []
code: {runtime: kit, file: bin/${name}.mjs, sha256: ${SHA}, limits: ${limits}}
`;
const ACT: Directive = { do: 'act', step: 'bake', action: 'oven.bake', effect: 'once', input: { loaves: 2 } };
const ASK: Directive = { do: 'ask', step: 'sure', questions: [{ kind: 'confirm', text: 'Bake?' }] };
const COMMAND: Directive = { do: 'command', step: 'fire', command: 'make fire', timeoutMs: 60_000 };
const SAY: Directive = {
  do: 'generate',
  step: 'say',
  instruction: 'Say it.',
  system: '',
  schema: null,
  tools: null,
  model: '',
};
const END: Directive = { do: 'end', output: 'baked', error: null };
const BLOCKED: Directive = {
  do: 'end',
  output: null,
  error: null,
  stop: { status: 'blocked', reason: 'there is no flour' },
  requirements: [
    { claim: 'the oven is hot', passed: true, evidenceDigest: `sha256:${SHA}` },
    { claim: 'there is flour', passed: false },
  ],
};
/** What the code of each skill decides, round by round. */
const SCRIPTS: Readonly<Record<string, readonly Directive[]>> = {
  actor: [ACT, END],
  asker: [ASK, ACT, END],
  talker: [SAY, SAY, SAY, END],
  runner: [COMMAND, END],
  stopper: [SAY, BLOCKED],
  giver: [{ do: 'end', output: null, error: { code: 'VALIDATION', message: 'it was wrong' } }],
};

function decide(job: StepJob & { kind: 'decide' }): Partial<StepResult> {
  const directive = SCRIPTS[job.step]?.[job.at.rounds] ?? END;
  return { value: { directive, observed: [], passed: [] } satisfies Decision };
}
const usual: Answer = (job) => {
  if (job.kind === 'decide') return decide(job);
  return job.kind === 'generate' ? { text: `said ${job.instruction}` } : { value: { done: job.id } };
};

describe.skipIf(redis === undefined)('turns whose flow is code', () => {
  let cluster: Cluster;
  let folder: string;
  let config: Config;
  const start = async (answer: Answer = usual, more: Config = {}): Promise<Cluster> => {
    cluster = await startCluster(redis!.url, answer, { ...config, ...more });
    await cluster.orchestrator();
    await cluster.worker();
    return cluster;
  };
  const kinds = (): string[] => cluster.executed.map(({ kind, step }) => `${kind} ${step}`);
  const openJob = (turnId: TurnId, kind: StepJob['kind']): Promise<StepJob> => {
    const { connection } = cluster;
    return until(
      async () =>
        (await connection.redis.hvals(connection.keys.turn(turnId).jobs))
          .map((json) => (JSON.parse(json) as { job: StepJob }).job)
          .find((job) => job.kind === kind),
      5000,
      `a job ${kind}`,
    );
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillyard-code-turns-'));
    for (const name of Object.keys(SCRIPTS)) await writeFile(join(folder, `${name}.yaml`), codeSkill(name));
    await writeFile(
      join(folder, 'policy.yaml'),
      'roles: {baker: {allow: ["action:oven.bake"]}, stoker: {allow: ["command:run"]}, guest: {allow: []}, strict: {allow: ["*"], deny: ["action:oven.bake"]}}',
    );
    config = { skills: [folder] };
  });
  afterEach(async () => cluster.close());
  afterAll(async () => {
    await redis?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are delegated to, and give what they end with', async () => {
    const { submit, outcome, worker } = await start();
    await worker('action');
    const text = skillOf(
      '- delegate: {skill: actor, task: two loaves, save_as: bread}\n- set: {var: answer, value: "{{bread}}!"}',
    );
    expect(await outcome(await submit(text))).toMatchObject({ status: 'completed', answer: 'baked!' });
    const [first] = cluster.executed;
    expect(first).toMatchObject({ kind: 'decide', event: { type: 'start', vars: { input: 'two loaves' } } });
  });

  it('are delegated to, and their failure is that of the step', async () => {
    const { submit, outcome, worker } = await start();
    await worker('action');
    const text = skillOf('- delegate: {skill: giver, task: go, save_as: bread}');
    const { status, error } = await outcome(await submit(text));
    expect(status).toBe('failed');
    expect(error?.message).toContain('it was wrong');
  });

  it('end as their program says, with what it claimed, and have nothing to redrive', async () => {
    const { submit, outcome, worker, events, connection } = await start((job, context) =>
      job.kind === 'generate'
        ? { status: 'error', error: { code: 'MODEL_ANSWER_INVALID', message: 'no JSON' } }
        : usual(job, context),
    );
    await worker('action');
    const turnId = await submit(skillOf('- delegate: {skill: stopper, task: go, save_as: bread}'));
    const { status, error } = await outcome(turnId);
    expect(status).toBe('failed');
    expect(error?.message).toContain('skill "stopper" blocked: there is no flour');
    const child = childTurnId(`${turnId}.0.d` as JobId);
    const requirements = BLOCKED.do === 'end' ? BLOCKED.requirements : [];
    expect(await outcome(child)).toMatchObject({
      status: 'blocked',
      error: null,
      exitReason: 'there is no flour',
      requirements,
    });
    const told = (await events(child)).flatMap((event) =>
      event.type === 'requirement.checked' ? [event.requirement] : [],
    );
    expect(told).toEqual(requirements);
    const operator = new Operator(connection);
    expect((await operator.explainTurn(child)).why).toMatch(/ended as blocked at \S+: there is no flour$/);
    const failed = (await operator.listFailed()).jobs.find(({ kind }) => kind === 'generate');
    const why = `turn ${child} ended as blocked, and not because of the result of a job: the skill itself ended it.`;
    expect((await operator.inspect(failed!.jobId)).notRedrivable).toContain(why);
    await expect(operator.redrive(`${turnId}.0.d` as JobId, 'anna')).rejects.toThrow(
      'ended as blocked and would run again from its beginning',
    );
  });

  it('ask people while another waits for them, and go on with the answer', async () => {
    const { submit, outcome, worker, connection } = await start();
    await worker('action');
    const turnId = await submit(skillOf('- delegate: {skill: asker, task: go, save_as: answer}'));
    const questions = new Questions(connection);
    const [open] = await until(async () => {
      const page = await questions.list({ tenants: 'all' });
      return page.questions.length > 0 ? page.questions : undefined;
    }, 5000);
    expect(open).toMatchObject({ skill: 'asker', step: 'sure' });
    await questions.answer(open!.turnId, open!.jobId, [true]);
    expect(await outcome(turnId)).toMatchObject({ status: 'completed', answer: 'baked' });
  });

  it('wait for a worker of the class action, which `why` names', async () => {
    const { submit, outcome, worker, connection } = await start();
    const turnId = await submit(codeSkill('actor'));
    await openJob(turnId, 'decide');
    const why = await new Operator(connection).explainTurn(turnId);
    expect(JSON.stringify(why)).toMatch(/no worker.*action|action.*no worker/i);
    await worker('action');
    expect((await outcome(turnId)).status).toBe('completed');
  });

  it('go on from an action that failed when it is redriven, and ask the code nothing again', async () => {
    let isCold = true;
    const { submit, outcome, worker, connection } = await start((job, context) =>
      job.kind === 'call' && isCold
        ? { status: 'error', error: { code: 'CODE_FAILED', message: 'cold' } }
        : usual(job, context),
    );
    await worker('action');
    const turnId = await submit(codeSkill('asker'));
    const { id } = await openJob(turnId, 'ask');
    await new Questions(connection).answer(turnId, id, [true]);
    expect(await outcome(turnId)).toMatchObject({ status: 'failed', error: { code: 'CODE_FAILED' } });
    isCold = false;
    await new Operator(connection).resolve(`${turnId}.0.v1.c` as JobId, { how: 'rerun' }, 'anna');
    expect(await outcome(turnId)).toMatchObject({ status: 'completed', answer: 'baked' });
    expect(kinds()).toEqual(['decide asker', 'decide asker', 'call bake', 'call bake', 'decide asker']);
  });

  it('take the result that an operator gives for an action that was lost', async () => {
    const told: unknown[] = [];
    const { submit, outcome, worker, connection } = await start((job, context) => {
      if (job.kind === 'decide') told.push(job.event);
      return job.kind === 'call'
        ? { status: 'lost', error: { code: 'STEP_LOST', message: 'gone' } }
        : usual(job, context);
    });
    await worker('action');
    const turnId = await submit(codeSkill('actor'));
    expect(await outcome(turnId)).toMatchObject({ status: 'failed', error: { code: 'STEP_LOST' } });
    const operator = new Operator(connection);
    const jobId = `${turnId}.0.v0.c` as JobId;
    await expect(operator.redrive(jobId, 'anna')).rejects.toMatchObject({ code: 'REOPEN_REFUSED' });
    await operator.resolve(jobId, { how: 'value', text: '{"loaf": 7}' }, 'anna');
    expect(await outcome(turnId)).toMatchObject({ status: 'completed' });
    expect(told.at(-1)).toEqual({ type: 'acted', value: { loaf: 7 } });
  });

  it('go on when a decision that failed is redriven', async () => {
    let isBroken = true;
    const { submit, outcome, worker, connection } = await start((job, context) =>
      job.kind === 'decide' && job.at.rounds === 1 && isBroken
        ? { status: 'error', error: { code: 'CODE_UNKNOWN', message: 'not here' } }
        : usual(job, context),
    );
    await worker('action');
    const turnId = await submit(codeSkill('actor'));
    expect(await outcome(turnId)).toMatchObject({ status: 'failed', error: { code: 'CODE_UNKNOWN' } });
    isBroken = false;
    const operator = new Operator(connection);
    const jobId = `${turnId}.0.d1` as JobId;
    await expect(operator.resolve(jobId, { how: 'value', text: 'go on' }, 'anna')).rejects.toMatchObject({
      code: 'REOPEN_REFUSED',
      message: expect.stringContaining('the code of the skill alone can make') as string,
    });
    await operator.redrive(jobId, 'anna');
    expect(await outcome(turnId)).toMatchObject({ status: 'completed' });
    expect(kinds().filter((kind) => kind === 'call bake')).toHaveLength(1);
  });

  it('are cancelled while they wait for a person, for a worker, and in an action', async () => {
    const { submit, outcome, worker, client, connection } = await start((job, context) =>
      job.kind === 'call'
        ? new Promise((resolve) =>
            context.signal.addEventListener('abort', () => resolve({ status: 'error' })),
          )
        : usual(job, context),
    );
    const waiting = await submit(codeSkill('actor'));
    await openJob(waiting, 'decide');
    await client.cancelTurn(waiting);
    expect((await outcome(waiting)).status).toBe('cancelled');
    await worker('action');
    const asking = await submit(codeSkill('asker'));
    const { id } = await openJob(asking, 'ask');
    await client.cancelTurn(asking);
    expect((await outcome(asking)).status).toBe('cancelled');
    await expect(new Questions(connection).answer(asking, id, [true])).rejects.toMatchObject({
      code: 'QUESTION_CLOSED',
    });
    const acting = await submit(codeSkill('actor'));
    await until(async () => kinds().includes('call bake'), 5000);
    await client.cancelTurn(acting);
    expect((await outcome(acting)).status).toBe('cancelled');
  });

  it('end at their limits and at the deadline of their turn', async () => {
    const { submit, outcome, worker } = await start();
    await worker('action');
    const bounded = await outcome(await submit(codeSkill('talker', '{generations: 2}')));
    expect(bounded).toMatchObject({
      status: 'failed',
      error: { code: 'LIMIT_EXCEEDED' },
      usage: { generations: 2 },
    });
    const seconds = await outcome(await submit(codeSkill('asker', '{seconds: 1}')));
    expect(seconds).toMatchObject({ status: 'failed', error: { code: 'LIMIT_EXCEEDED' } });
    const origin = { ...NO_ORIGIN, deadlineMs: 500 };
    const late = await outcome(await submit(codeSkill('asker'), { origin }));
    expect(late.status).toBe('cancelled');
  });

  it('run no action and no command that the policy denies their caller', async () => {
    const { submit, outcome, worker } = await start(usual, { policy: join(folder, 'policy.yaml') });
    await worker('action');
    const as = (role: string) => ({ origin: { ...NO_ORIGIN, subject: 'key:k', roles: [role] } });
    expect((await outcome(await submit(codeSkill('actor'), as('baker')))).status).toBe('completed');
    for (const role of ['guest', 'strict', 'nobody']) {
      cluster.executed.length = 0;
      const denied = await outcome(await submit(codeSkill('actor'), as(role)));
      expect(denied).toMatchObject({ status: 'denied', error: { code: 'STEP_DENIED' } });
      expect(kinds()).not.toContain('call bake');
    }
    await worker('command');
    expect((await outcome(await submit(codeSkill('runner'), as('stoker')))).status).toBe('completed');
    expect(kinds().filter((kind) => kind === 'call fire')).toHaveLength(1);
    expect((await outcome(await submit(codeSkill('runner'), as('baker')))).status).toBe('denied');
    expect(kinds().filter((kind) => kind === 'call fire')).toHaveLength(1);
  });

  it.each([
    ['action', 'oven.bake'],
    ['command', 'run'],
  ])('have a class %s that no call of a flow or of a model reaches', async (server, tool) => {
    const { submit, outcome, worker } = await start((job, context) =>
      job.kind === 'generate' && job.round === 0
        ? { toolRequests: [{ callId: '1', server, tool, args: { command: 'make fire' } }] }
        : usual(job, context),
    );
    await worker(server);
    const flow = skillOf(`- call: {tool: "${server}:${tool}", save_as: answer}`);
    expect(await outcome(await submit(flow.replace('mill, oven', server)))).toMatchObject({
      status: 'failed',
    });
    const model = skillOf('- {instruction: bake, save_as: answer}').replace('mill, oven', server);
    await outcome(await submit(model));
    expect(kinds().filter((kind) => !kind.startsWith('generate'))).toEqual([]);
  });

  it('run no code that nobody deployed, whatever was submitted', async () => {
    const executors = createExecutors({ config, env: { PATH: process.env['PATH'] }, baseDir: folder });
    const { submit, outcome, worker } = await start((job, { signal }) => executors.execute(job, { signal }));
    await worker('action');
    const { status, error } = await outcome(await submit(codeSkill('actor')));
    expect([status, error?.code]).toEqual(['failed', 'CODE_UNKNOWN']);
    expect(error?.message).not.toContain(folder);
    await executors.close();
  });
});
