import { randomUUID } from 'node:crypto';
import { type NodeProcess, type RedisServer, startRedis, toolServerCommand } from '@skillyard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

describe.skipIf(redis === undefined)('serve, submit and watch', () => {
  const env = { REDIS_URL: redis?.url ?? '' };
  let place: Workplace;
  let served: NodeProcess;

  beforeAll(async () => {
    place = await openWorkplace();
    const config = {
      models: { m: { provider: 'scripted', script: 'answers.yaml' } },
      servers: { depot: { ...toolServerCommand(), class: 'kitchen' } },
      redis: { prefix: `cli-${randomUUID().slice(0, 8)}` },
      http: { auth: 'required' },
    };
    const steps = [
      { name: 'fetch', call: { tool: 'depot:echo', args: { text: '{{input}}' }, save_as: 'got' } },
      { name: 'greet', instruction: 'Welcome {{got}}.' },
    ];
    await place.write({
      'skillyard.yaml': JSON.stringify(config),
      'answers.yaml': 'steps:\n  greet: [{echo: true}]\n',
      'skill.yaml': skill(steps, { tools: ['depot'] }),
      'leave.yaml': skill([{ name: 'leave', exit: { reason: 'not for me' } }]),
      'bad.yaml': '- a\n',
    });
    served = place.start(['serve', '--orchestrators', '2', '--port', '0'], env);
    await served.wrote('keys create');
  });
  afterAll(async () => {
    await served.stop();
    await place.remove();
  });

  it('serve says once which processes are ready', () => {
    const lines = served
      .stdout()
      .split('\n')
      .filter((line) => line.startsWith('ready: '));
    expect(lines).toEqual([
      expect.stringMatching(
        /^ready: orchestrator\.1, orchestrator\.2, worker\.model, worker\.kitchen on redis:\/\//,
      ),
    ]);
  });

  it('serve says where the consoles are, and how to get a key', () => {
    const said = served.stdout();
    expect(said.match(/^console: http:\/\/127\.0\.0\.1:\d+\/$/gm)).toHaveLength(2);
    expect(said).toMatch(
      /^it asks for a key, which this makes: skillyard keys create --name me --tenant '\*' /m,
    );
  });

  it('submit --watch prints as run does', async () => {
    const run = await place.run(['submit', 'skill.yaml', '--input', 'Ada', '--watch'], env);
    expect(run.stdout).toBe('Welcome Ada.\n');
    expect(run.stderr).toMatch(/greet +instruction +ok/);
    expect(run.code).toBe(0);
  });

  it('submit prints the id of the turn, and watch follows it to its end', async () => {
    const submitted = await place.run(['submit', 'skill.yaml', '--input', 'Grace'], env);
    const id = submitted.stdout.trim();
    expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
    const watched = await place.run(['watch', id, '--json'], env);
    expect(JSON.parse(watched.stdout)).toMatchObject({
      turnId: id,
      status: 'completed',
      answer: 'Welcome Grace.',
    });
    expect(watched.code).toBe(0);
    const again = await place.run(['watch', id], env);
    expect(again.stdout).toBe('Welcome Grace.\n');
  });

  it('the exit code is that of the turn', async () => {
    const run = await place.run(['submit', 'leave.yaml', '--watch'], env);
    expect(run.stderr).toContain('exited: not for me');
    expect(run.code).toBe(3);
  });

  it('a refused skill is never submitted', async () => {
    const run = await place.run(['submit', 'bad.yaml'], env);
    expect(run.stderr).toMatch(/^bad\.yaml:1:1: error SKILL_ROOT: /);
    expect(run.code).toBe(2);
  });

  it('a turn that is not there is refused with TURN_NOT_FOUND', async () => {
    const run = await place.run(['watch', 'nothing'], env);
    expect(run.stderr).toContain('error TURN_NOT_FOUND: ');
    expect(run.code).toBe(2);
  });
});

describe.skipIf(redis === undefined)('how serve ends', () => {
  const env = { REDIS_URL: redis?.url ?? '' };
  let place: Workplace;
  beforeEach(async () => {
    place = await openWorkplace();
    await place.write({
      'skillyard.yaml': JSON.stringify({ redis: { prefix: `cli-${randomUUID().slice(0, 8)}` } }),
    });
  });
  afterEach(() => place.remove());

  it('after a signal: gracefully, with 0', async () => {
    const served = place.start(['serve', '--port', '0'], env);
    await served.wrote('ready: ');
    served.child.kill('SIGINT');
    const { code } = await served.exited;
    expect(served.stdout()).toMatch(/SIGINT: stopping[\s\S]*stopped\n$/);
    expect(code).toBe(0);
  });

  it('when a process dies: says which, stops the others, exits with 1 and restarts nothing', async () => {
    const served = place.start(['serve', '--json', '--port', '0'], env);
    await served.wrote('"event":"ready"');
    const events = (): { event: string; name?: string; processes?: { name: string; pid: number }[] }[] =>
      served
        .stdout()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as never);
    const worker = events()[0]?.processes?.find(({ name }) => name === 'worker.model');
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    const { code } = await served.exited;
    expect(events().map(({ event }) => event)).toEqual(['ready', 'died', 'stopped']);
    expect(events()[1]).toMatchObject({ name: 'worker.model', signal: 'SIGKILL' });
    expect(code).toBe(1);
  });

  it('without Redis: one message, with 4', async () => {
    const run = await place.run(['serve'], { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(run.stderr.match(/REDIS_UNAVAILABLE/g)).toHaveLength(1);
    expect(run.code).toBe(4);
  });
});

describe.skipIf(redis === undefined)('conformance --driver queue', () => {
  it('runs cases over Redis and leaves nothing behind', async () => {
    const place = await openWorkplace();
    const one = {
      id: 'set',
      title: 'a variable',
      op: 'execute',
      input: {
        skill: skill(
          [
            { name: 'tell', instruction: 'go' },
            { name: 'act', call: { tool: 'depot:wash', args: {} } },
          ],
          { tools: ['depot'] },
        ),
        vars: {},
        script: {
          runner: { tell: [{ text: 'told' }] },
          caller: { 'depot:wash': [{ denied: true, error: 'no' }] },
        },
      },
      expected: {
        vars: { answer: 'told' },
        answered_by: 'instruction',
        skipped: [],
        steps: [
          { name: 'tell', kind: 'instruction', outcome: 'ok', calls: 0, calls_failed: 0, has_reason: false },
          { name: 'act', kind: 'call', outcome: 'denied', calls: 1, calls_failed: 1, has_reason: true },
        ],
        events: [],
        error: { kind: 'denied' },
        requests: {
          runner: [
            {
              step: 'tell',
              instruction: 'go',
              tools: ['depot'],
              model: '',
              max_calls: 0,
              max_tool_errors: 0,
              one_of: null,
              sampling: null,
              has_schema: false,
            },
          ],
          caller: [{ server: 'depot', tool: 'wash', args: {} }],
          delegate: [],
          assets: [],
        },
        unordered: false,
      },
    };
    await place.write({ 'cases.json': JSON.stringify([one]) });
    const run = await place.run([
      'conformance',
      'flow',
      'cases.json',
      '--driver',
      'queue',
      '--redis',
      redis?.url ?? '',
    ]);
    expect(run.stdout).toBe('1 passed, 0 failed\n');
    expect(run.code).toBe(0);
    await place.remove();
  });
});
