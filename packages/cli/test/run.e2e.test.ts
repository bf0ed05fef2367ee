import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolServerCommand, until } from '@skillyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

describe('what run prints', () => {
  const steps = [
    { name: 'never', when: 'input == nobody', set: { var: 'x', value: '1' } },
    { name: 'greet', instruction: 'Welcome {{input}} to the {{place}}.' },
  ];
  const files = {
    'skill.yaml': skill(steps),
    'skillyard.yaml': 'models:\n  m: {provider: scripted, script: answers.yaml}\n',
    'answers.yaml': 'steps:\n  greet: [{echo: true, usage: {input: 1200, output: 7}}]\n',
  };

  it('the answer alone on standard output; steps, skipped steps and tokens on standard error', async () => {
    await place.write(files);
    const run = await place.run(['run', 'skill.yaml', '--input', 'Ada', '--var', 'place=bakery']);
    expect(run.stdout).toBe('Welcome Ada to the bakery.\n');
    expect(run.stderr).toMatch(/started instruction +greet/);
    expect(run.stderr).toMatch(/step +kind +outcome +calls +duration +reason/);
    expect(run.stderr).toMatch(/greet +instruction +ok/);
    expect(run.stderr).toContain('skipped: never');
    expect(run.stderr).toMatch(/tokens: 1,200 in, 7 out; 1 generation, 0 calls/);
    expect(run.code).toBe(0);
  });

  it('with --json one document, and nothing on standard error', async () => {
    await place.write(files);
    const run = await place.run(['run', 'skill.yaml', '--input', 'Ada', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      status: 'completed',
      answer: 'Welcome Ada to the .',
      skipped: ['never'],
      usage: { generations: 1, inputTokens: 1200, outputTokens: 7 },
      steps: [
        { name: 'never', outcome: 'skipped' },
        { name: 'greet', outcome: 'ok' },
      ],
    });
    expect(run.stderr).toBe('');
  });

  it('reads the input from a file or from standard input', async () => {
    await place.write({ ...files, 'who.txt': 'Grace' });
    const fromFile = await place.run(['run', 'skill.yaml', '--input-file', 'who.txt']);
    expect(fromFile.stdout).toBe('Welcome Grace to the .\n');
    const piped = place.start(['run', 'skill.yaml', '--input-file', '-']);
    piped.child.stdin?.end('Edsger');
    await piped.exited;
    expect(piped.stdout()).toBe('Welcome Edsger to the .\n');
  });

  it('says which variables there are when nothing wrote the answer', async () => {
    await place.write({ 'skill.yaml': skill([{ set: { var: 'gist', value: 'x' } }]) });
    const run = await place.run(['run', 'skill.yaml']);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/no step wrote `answer`; written: gist/);
    expect(run.code).toBe(0);
  });
});

describe('exit codes', () => {
  const server = { servers: { depot: toolServerCommand() } };

  it('3 when the skill exits, with its reason', async () => {
    await place.write({ 'skill.yaml': skill([{ name: 'leave', exit: { reason: 'not for me' } }]) });
    const run = await place.run(['run', 'skill.yaml']);
    expect(run.stderr).toContain('exited: not for me');
    expect(run.code).toBe(3);
  });

  it('5 when a step is denied', async () => {
    const call = { name: 'try', call: { tool: 'depot:deny', args: { message: 'keepers only' } } };
    await place.write({
      'skill.yaml': skill([call], { tools: ['depot'] }),
      'skillyard.yaml': JSON.stringify(server),
    });
    const run = await place.run(['run', 'skill.yaml']);
    expect(run.stderr).toMatch(/error \w+: step "try": .*keepers only[\s\S]*at skill\.yaml:\d+:\d+/);
    expect(run.code).toBe(5);
  });

  it('130 when it takes longer than --timeout', async () => {
    const call = { name: 'wait', call: { tool: 'depot:hang', args: {} } };
    await place.write({
      'skill.yaml': skill([call], { tools: ['depot'] }),
      'skillyard.yaml': JSON.stringify(server),
    });
    const run = await place.run(['run', 'skill.yaml', '--timeout', '1s']);
    expect(run.stderr).toContain('cancelled: it took longer than --timeout 1s');
    expect(run.code).toBe(130);
  });
});

describe('Ctrl-C', () => {
  it('cancels the turn, says what happened, ends the tool servers and exits with 130', async () => {
    const config = { servers: { depot: toolServerCommand() } };
    const call = {
      name: 'wait',
      call: { tool: 'depot:slow', args: { ms: 60_000, file: join(place.folder, 'log') } },
    };
    const first = { name: 'first', set: { var: 'gist', value: 'kept' } };
    await place.write({
      'skill.yaml': skill([first, call], { tools: ['depot'] }),
      'skillyard.yaml': JSON.stringify(config),
    });
    const process = place.start(['run', 'skill.yaml', '--json']);
    const log = (): Promise<string> => readFile(join(place.folder, 'log'), 'utf8').catch(() => '');
    await until(async () => (await log()).includes('start'), 20_000, 'the call to have started');
    process.child.kill('SIGINT');
    const { code } = await process.exited;
    expect(code).toBe(130);
    expect(JSON.parse(process.stdout())).toMatchObject({
      status: 'cancelled',
      error: { code: 'TURN_CANCELLED', message: expect.stringContaining('Ctrl-C') },
      vars: { gist: 'kept' },
      steps: [
        { name: 'first', outcome: 'ok' },
        { name: 'wait', outcome: 'error', reason: 'interrupted by Ctrl-C' },
      ],
    });
    expect(process.stderr()).toContain('cancelled: interrupted by Ctrl-C');
  });
});

describe('delegation', () => {
  it('runs skills found by name in the folders of the configuration and beside the skill', async () => {
    await place.write({
      'skill.yaml': skill([
        { name: 'near', delegate: { skill: 'near', task: 'a' }, save_as: 'n' },
        { name: 'far', delegate: { skill: 'far', task: 'b' }, save_as: 'f' },
        { set: { var: 'answer', value: '{{n}} {{f}}' } },
      ]),
      'beside.yaml': skill([{ set: { var: 'answer', value: 'near:{{input}}' } }], { name: 'near' }),
      'library/far/skill.yaml': skill([{ set: { var: 'answer', value: 'far:{{input}}' } }], { name: 'far' }),
      'skillyard.yaml': 'skills: [library]\n',
    });
    const run = await place.run(['run', 'skill.yaml']);
    expect(run.stdout).toBe('near:a far:b\n');
    expect(run.stderr).toMatch(/ok +\d+ ms +delegate +near/);
  });

  it('ends skills that delegate to each other in a circle', async () => {
    await place.write({
      'a.yaml': skill([{ name: 'on', delegate: { skill: 'b', task: 't' } }], { name: 'a' }),
      'b.yaml': skill([{ name: 'back', delegate: { skill: 'a', task: 't' } }], { name: 'b' }),
    });
    const run = await place.run(['run', 'a.yaml']);
    expect(run.stderr).toMatch(/error DELEGATE_FAILED: .*more than 8 deep/);
    expect(run.code).toBe(1);
  });

  it('says where a refused skill is wrong', async () => {
    await place.write({
      'skill.yaml': skill([{ name: 'on', delegate: { skill: 'broken', task: 't' } }]),
      'broken.yaml': 'name: broken\nworkflow:\n  steps: {}\n',
    });
    const run = await place.run(['run', 'skill.yaml']);
    expect(run.stderr).toMatch(
      /error SKILL_INVALID: step "on": skill "broken" is refused: broken\.yaml:\d+:\d+: /,
    );
    expect(run.code).toBe(2);
  });
});

describe('validate', () => {
  it('says of each loop whether its iterations run at once, and sums up', async () => {
    const body = [{ instruction: 'see {{row}}', save_as: 'seen' }];
    const shared = [{ instruction: 'see {{row}} after {{seen}}', save_as: 'seen' }];
    await place.write({
      'skills/a.yaml': skill([{ name: 'each', for_each: { in: 'rows', as: 'row', steps: body } }]),
      'skills/b/b.yaml': skill([{ name: 'chain', for_each: { in: 'rows', as: 'row', steps: shared } }]),
      'skills/answers.yaml': 'steps: {a: [{text: b}]}\n',
    });
    const run = await place.run(['validate', 'skills']);
    expect(run.stdout).toMatch(
      /^skills\/a\.yaml:\d+:\d+: info LOOP: "each" runs up to \d+ iterations at once: /m,
    );
    expect(run.stdout).toMatch(
      /^skills\/b\/b\.yaml:\d+:\d+: info LOOP: "chain" runs one iteration at a time: .*"seen"/m,
    );
    expect(run.stdout).toContain('skills/answers.yaml: skipped, it is no skill');
    expect(run.stdout).toMatch(/2 skills checked, no errors\n$/);
    expect(run.code).toBe(0);
  });
});
