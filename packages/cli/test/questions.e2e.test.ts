import { randomUUID } from 'node:crypto';
import { turnId as asTurnId } from '@skillyard/contracts';
import { killHard, type NodeProcess, type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliRun, openWorkplace, skill, type Workplace } from './cli-process.ts';
import { lookUntil } from './look-until.ts';

const LOAN = skill([
  { name: 'find', instruction: 'Find {{input}}.', save_as: 'found' },
  {
    name: 'decide',
    ask: {
      question: 'Order "{{found}}"?',
      options: [{ value: 'yes', label: 'Order it' }, { value: 'no' }],
      save_as: 'decision',
    },
  },
  { name: 'tell', instruction: 'Decision: {{decision}}.' },
]);
const HURRY = skill([
  {
    name: 'decide',
    ask: {
      question: 'Well?',
      save_as: 'decision',
      timeout: '4s',
      on_timeout: 'use',
      on_timeout_value: 'nobody',
    },
  },
  { name: 'tell', instruction: 'Decision: {{decision}}.' },
]);
const ANSWERS = 'steps:\n  find: [{echo: true}]\n  tell: [{echo: true}]\n';

// It is killed as well, and comes back with what it has written to disk.
const redis: RedisServer | undefined = await startRedis({ owned: true, appendOnly: true });
afterAll(() => redis?.stop());

describe.skipIf(redis === undefined)('a turn that waits for a person', { timeout: 120_000 }, () => {
  const env = { REDIS_URL: redis?.url ?? '' };
  let place: Workplace;
  let prefix = '';
  let processes: NodeProcess[] = [];

  beforeEach(async () => {
    place = await openWorkplace();
    prefix = `ask-${randomUUID().slice(0, 8)}`;
    const config = {
      models: { m: { provider: 'scripted', script: 'answers.yaml' } },
      redis: { prefix },
      http: { port: 0 },
    };
    await place.write({
      'skillyard.yaml': JSON.stringify(config),
      'answers.yaml': ANSWERS,
      'loan.yaml': LOAN,
      'hurry.yaml': HURRY,
    });
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => one.stop()));
    await place.remove();
  });

  /** Starts an orchestrator and a worker. @returns the address of the API */
  const start = async (): Promise<string> => {
    const orchestrator = place.start(['orchestrator', '--json'], env);
    processes = [orchestrator, place.start(['worker', '--class', 'model', '--json'], env)];
    await Promise.all(processes.map((one) => one.wrote('"event":"ready"')));
    return /"http":"([^"]+)"/.exec(orchestrator.stdout())?.[1] ?? '';
  };
  /** Ends everything there is, Redis included, as a power cut does. */
  const killAll = async (): Promise<void> => {
    await Promise.all(processes.splice(0).map((one) => killHard(one)));
    await redis!.restart();
  };
  const run = (...args: string[]): Promise<CliRun> => place.run(args, env);
  const submit = async (file: string, ...more: string[]): Promise<string> =>
    (await run('submit', file, ...more)).stdout.trim();
  const asked = (turnId: string): Promise<void> =>
    lookUntil(
      { url: env.REDIS_URL, prefix },
      async (system) => (await system.questionsOf(asTurnId(turnId))).questions.length > 0,
      `a question of ${turnId}`,
    );

  it('goes on with an answer that came between two power cuts', async () => {
    await start();
    const turnId = await submit('loan.yaml', '--input', 'a map');
    await asked(turnId);
    await killAll();

    const listed = await run('questions');
    expect(listed.stdout).toContain('Order "Find a map."?');
    expect(listed.stdout).toContain('1. Order it (yes)');
    const answered = await run('answer', turnId, 'order', 'it');
    expect(answered).toMatchObject({ code: 0, stderr: `answered; turn ${turnId} goes on\n` });
    expect((await run('questions')).stderr).toBe('no open questions\n');
    const again = await run('answer', turnId, `${turnId}.1.q`, 'no');
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain('error QUESTION_CLOSED');
    await killAll();

    await start();
    const watched = await run('watch', turnId);
    expect(watched).toMatchObject({ code: 0, stdout: 'Decision: yes.\n' });
    expect(watched.stderr).toContain(`asked step 1, which waits for a person: skillyard answer ${turnId}`);
  });

  it('goes on without an answer when its time is over, though everything was killed before', async () => {
    await start();
    const turnId = await submit('hurry.yaml');
    await asked(turnId);
    await killAll();
    await start();
    const watched = await run('watch', turnId);
    expect(watched).toMatchObject({ code: 0, stdout: 'Decision: nobody.\n' });
    expect((await run('questions')).stderr).toBe('no open questions\n');
  });

  it('is answered over the API as well, and says what does not fit', async () => {
    const api = await start();
    const outside = (...args: string[]): Promise<CliRun> =>
      place.run([...args, '--api', api], { REDIS_URL: 'redis://127.0.0.1:1' });
    const turnId = await submit('loan.yaml', '--input', 'a map');
    await asked(turnId);
    const json = JSON.parse((await outside('questions', '--json')).stdout) as { questions: unknown[] };
    expect(json).toMatchObject({
      questions: [{ turnId, step: 'decide', jobId: `${turnId}.1.q` }],
      next: null,
    });
    const wrong = await outside('answer', turnId, 'perhaps');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('error ANSWER_INVALID: "perhaps" is none of the options');
    expect(await outside('answer', turnId, '2', '--json')).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify({ turnId, jobId: `${turnId}.1.q` })}\n`,
    });
    expect((await run('watch', turnId)).stdout).toBe('Decision: no.\n');
    expect((await outside('answer', turnId, '2')).stderr).toContain('error QUESTION_NOT_FOUND');
  });
});

describe('run, where a step asks a person', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await openWorkplace();
    await place.write({
      'skillyard.yaml': 'models:\n  m: {provider: scripted, script: answers.yaml}\n',
      'answers.yaml': ANSWERS,
      'loan.yaml': LOAN,
    });
  });
  afterEach(() => place.remove());

  it('takes the answers of --answers, by the name of the step', async () => {
    await place.write({ 'given.json': '{"decide": "Order it"}' });
    const run = await place.run(['run', 'loan.yaml', '--answers', 'given.json']);
    expect(run).toMatchObject({ code: 0, stdout: 'Decision: yes.\n' });
    const piped = place.start(['run', 'loan.yaml', '--answers', '-']);
    piped.child.stdin?.end('{"1": "no"}');
    await piped.exited;
    expect(piped.stdout()).toBe('Decision: no.\n');
  });

  it('fails with QUESTION_UNANSWERED without a terminal, and says how it is answered', async () => {
    const run = await place.run(['run', 'loan.yaml']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('QUESTION_UNANSWERED');
    expect(run.stderr).toContain('--answers <file.json> with {"decide": "..."}');
  });

  it('fails with ANSWER_INVALID for a given answer that does not fit', async () => {
    await place.write({ 'given.json': '{"decide": "perhaps"}', 'list.json': '[]' });
    const run = await place.run(['run', 'loan.yaml', '--answers', 'given.json']);
    expect(run.stderr).toContain('ANSWER_INVALID');
    expect(run.stderr).toContain('"perhaps" is none of the options');
    const list = await place.run(['run', 'loan.yaml', '--answers', 'list.json']);
    expect(list.code).toBe(2);
    expect(list.stderr).toContain('error INPUT_INVALID: --answers list.json is no object');
  });
});
