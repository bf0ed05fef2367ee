import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliRun, openWorkplace, skill, type Workplace } from './cli-process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

/** One message, no trace of our own code, and the promised exit code. */
function expectRefusal(run: CliRun, code: number, message: RegExp): void {
  expect(run.stderr + run.stdout).toMatch(message);
  expect(run.stderr + run.stdout).not.toMatch(/^\s+at .*\.(js|ts):\d+:\d+\)?$/m);
  expect(run.code).toBe(code);
}

const HEADER = 'skill_engine_version: "2.0.0"\nname: tryout\ndescription: d\n';

function aliasBomb(): string {
  const rows = ['    a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 12; i += 1)
    rows.push(
      `    a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return `${HEADER}workflow:\n  vars:\n${rows.join('\n')}\n  steps: [{set: {var: a, value: b}}]\n`;
}

describe('a skill that is none', () => {
  const cases: [what: string, text: string, message: RegExp][] = [
    ['not YAML', 'name: [a\nmore: b\n', /^skill\.yaml:\d+:\d+: error SKILL_YAML: /m],
    ['a YAML list', '- a\n- b\n', /^skill\.yaml:1:1: error SKILL_ROOT: /m],
    ['an empty file', '', /^skill\.yaml:1:1: error \w+: The file is empty/m],
    [
      'an unknown step kind',
      `${HEADER}workflow:\n  steps:\n    - name: x\n      instructoin: go\n`,
      /^skill\.yaml:6:7: error STEP_NO_ACTION: /m,
    ],
    [
      'two actions in one step',
      `${HEADER}workflow:\n  steps:\n    - instruction: go\n      set: {var: a, value: b}\n`,
      /^skill\.yaml:7:\d+: error STEP_SEVERAL_ACTIONS: .*instruction, set/m,
    ],
    ['an alias bomb', aliasBomb(), /^skill\.yaml:\d+:\d+: error SKILL_TOO_COMPLEX: /m],
    [
      '10 MB',
      `${HEADER}playbook: |\n${'  x x x x x x x x x\n'.repeat(600_000)}`,
      /error SKILL_TOO_LARGE: .*skill\.yaml has \d+ bytes/,
    ],
    ['binary', '\u0000\u0001\u0002', /^skill\.yaml:\d+:\d+: error SKILL_\w+: /m],
  ];

  it.each(cases)(
    '%s is refused by run and by validate, with a place and exit code 2',
    async (_what, text, message) => {
      await place.write({ 'skill.yaml': text });
      expectRefusal(await place.run(['run', 'skill.yaml']), 2, message);
      expectRefusal(await place.run(['validate', 'skill.yaml']), 2, message);
    },
  );

  it('a mode whose half is missing is refused, and the other half does not run in its place', async () => {
    await place.write({ 'skill.yaml': `${HEADER}playbook: talk\n` });
    expectRefusal(
      await place.run(['run', 'skill.yaml', '--mode', 'workflow']),
      2,
      /error SKILL_INVALID: The mode is "workflow", and the skill has no `workflow` with steps/,
    );
    expectRefusal(
      await place.run(['run', 'skill.yaml', '--mode', 'prose']),
      2,
      /error INPUT_INVALID: --mode "prose" is unknown; write one of: workflow, playbook, both/,
    );
  });

  it('a file that is not there, a folder and bytes that are no text are refused with exit code 2', async () => {
    expectRefusal(
      await place.run(['run', 'gone.yaml']),
      2,
      /error FILE_UNREADABLE: the skill gone\.yaml .*no such file/,
    );
    expectRefusal(await place.run(['run', '.']), 2, /error FILE_UNREADABLE: .*it is a folder/);
    expectRefusal(await place.run(['validate', 'gone.yaml']), 2, /error FILE_UNREADABLE: gone\.yaml/);
    expectRefusal(await place.run(['validate', '.']), 2, /error INPUT_INVALID: there is no skill file/);
  });

  it('with --json prints the diagnostics as one document', async () => {
    await place.write({ 'skill.yaml': '- a\n' });
    const run = await place.run(['run', 'skill.yaml', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: { code: 'SKILL_INVALID' },
      diagnostics: [{ code: 'SKILL_ROOT', file: 'skill.yaml', position: { line: 1, column: 1 } }],
    });
    expect(run.code).toBe(2);
    const validation = await place.run(['validate', 'skill.yaml', '--json']);
    expect(JSON.parse(validation.stdout)).toMatchObject({ valid: false, files: [{ file: 'skill.yaml' }] });
    expect(validation.code).toBe(2);
  });
});

describe('what is no regular file', () => {
  it('is refused by every command that reads a file, without waiting for it', async () => {
    await place.write({ 'ok.yaml': skill([{ set: { var: 'answer', value: 'fine' } }]) });
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(place.folder, 'pipe.yaml')]);
    for (const args of [
      ['validate', 'pipe.yaml'],
      ['lint', 'pipe.yaml'],
      ['run', 'pipe.yaml'],
      ['lint', 'ok.yaml', '--facts', 'pipe.yaml'],
      ['run', 'ok.yaml', '--input-file', 'pipe.yaml'],
      ['run', 'ok.yaml', '--input-file', '/dev/zero'],
    ]) {
      const message = /FILE_UNREADABLE: the .* cannot be read: it is no regular file; name a file/;
      expectRefusal(await place.run(args), 2, message);
    }
    const run = await place.run(['run', 'ok.yaml', '--config', 'pipe.yaml']);
    expectRefusal(run, 2, /error FILE_UNREADABLE: the configuration pipe\.yaml .* it is no regular file/);
  });

  it('may lie beside a skill as its configuration or its script of answers', async () => {
    await place.write({
      'a/skill.yaml': skill([{ name: 'think', model: 'fast', instruction: 'go' }]),
      'b/skill.yaml': skill([{ name: 'think', model: 'fast', instruction: 'go' }]),
      'b/skillyard.yaml': 'models:\n  fast: {provider: scripted, script: answers.yaml}\n',
    });
    for (const file of ['a/skillyard.yaml', 'b/answers.yaml'])
      execFileSync('sh', ['-c', 'mkfifo "$0"', join(place.folder, file)]);
    const pipe = await place.run(['run', 'a/skill.yaml']);
    expectRefusal(pipe, 2, /error FILE_UNREADABLE: the configuration a.skillyard\.yaml .* no regular file/);
    const script = await place.run(['run', 'b/skill.yaml']);
    expect(script.stderr).toMatch(/CONFIG_INVALID: [\s\S]*it is no regular file; name a file/);
    expect(script.code).not.toBe(0);
  });

  it('is a link that leads back to itself, and is called so', async () => {
    await symlink('loop.yaml', join(place.folder, 'loop.yaml'));
    for (const command of ['validate', 'lint', 'run'])
      expectRefusal(
        await place.run([command, 'loop.yaml']),
        2,
        /FILE_UNREADABLE: .*loop\.yaml cannot be read: the link leads back to itself/,
      );
    expectRefusal(await place.run(['validate', '.']), 2, /loop\.yaml .*the link leads back to itself/);
  });
});

describe('a command line that is wrong', () => {
  const cases: [args: string[], message: RegExp][] = [
    [[], /error INPUT_INVALID: no command is given; see `skillyard --help`/],
    [['rnu'], /error INPUT_INVALID: unknown command 'rnu'; did you mean run\?/],
    [['run'], /error INPUT_INVALID: missing required argument 'skill'/],
    [
      ['run', 'a.yaml', '--inptu', 'x'],
      /error INPUT_INVALID: unknown option '--inptu'; did you mean --input\?/,
    ],
    [['run', 'ok.yaml', '--var', 'noname'], /error INPUT_INVALID: --var "noname": it has no `=`/],
    [['run', 'ok.yaml', '--var', '9=x'], /error INPUT_INVALID: --var "9=x": "9" is no variable name/],
    [['run', 'ok.yaml', '--var', 'a=1', '--var', 'a=2'], /error INPUT_INVALID: .*a is given twice/],
    [
      ['run', 'ok.yaml', '--input', 'x', '--input-file', 'y'],
      /error INPUT_INVALID: both --input and --input-file/,
    ],
    [
      ['run', 'ok.yaml', '--input-file', 'gone.txt'],
      /error FILE_UNREADABLE: the input gone\.txt cannot be read/,
    ],
    [['run', 'ok.yaml', '--timeout', 'soon'], /error INPUT_INVALID: --timeout "soon" is no duration/],
    [
      ['run', 'ok.yaml', '--fan-out', 'maybe'],
      /error INPUT_INVALID: --fan-out "maybe" is unknown; write one of: auto, off/,
    ],
    [['watch', 'a.b'], /error INPUT_INVALID: "a\.b" is no turn id/],
    [['conformance', 'flwo', 'x.json'], /error INPUT_INVALID: there is no suite "flwo"/],
    [['conformance', 'flow', 'gone.json'], /error FILE_UNREADABLE: there are no cases at gone\.json/],
  ];

  it.each(cases)('%j', async (args, message) => {
    await place.write({ 'ok.yaml': skill([{ set: { var: 'answer', value: 'fine' } }]) });
    expectRefusal(await place.run(args), 2, message);
  });

  it('prints help and version with exit code 0', async () => {
    const help = await place.run(['--help']);
    expect(help.stdout).toMatch(/Usage: skillyard[\s\S]*Examples:[\s\S]*Exit codes:/);
    expect(help.code).toBe(0);
    // Behind a command as well.
    const version = await place.run(['keys', 'list', '--version']);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(version.code).toBe(0);
  });

  it('leaves to the supervisor of programs what stands behind its word, options of ours too', async () => {
    const answer = await place.run(['program', 'respond', 'run_1', '--value', '--json']);
    expect(answer.stderr).toMatch(/^skillyard-program: no such run: run_1: /);
    expect(answer.code).toBe(1);
  });
});

describe('a configuration that is wrong', () => {
  it('names the key, its place and what is allowed, with exit code 2', async () => {
    await place.write({
      'ok.yaml': skill([{ set: { var: 'answer', value: 'fine' } }]),
      'skillyard.yaml': 'models:\n  m: {provider: opnai, model: x}\n',
    });
    const message =
      /error CONFIG_INVALID: skillyard\.yaml:2:17: models\.m\.provider is "opnai"; write one of: openai-compatible/;
    expectRefusal(await place.run(['run', 'ok.yaml']), 2, message);
  });

  it('a named file that is not there is refused', async () => {
    await place.write({ 'ok.yaml': skill([{ set: { var: 'answer', value: 'fine' } }]) });
    const run = await place.run(['run', 'ok.yaml', '--config', 'gone.yaml']);
    expectRefusal(run, 2, /error FILE_UNREADABLE: the configuration gone\.yaml cannot be read/);
  });
});

describe('what is not there when a step needs it', () => {
  const generation = skill([{ name: 'think', model: 'fancy', instruction: 'go' }]);
  const call = skill([{ name: 'reach', call: { tool: 'depot:wash', args: {} } }], { tools: ['depot'] });

  it('a model that is not in the configuration: which there are, where it is named, exit code 1', async () => {
    await place.write({ 'skill.yaml': generation, 'answers.yaml': 'steps: {think: [{text: a}]}' });
    await place.write({ 'skillyard.yaml': 'models:\n  fast: {provider: scripted, script: answers.yaml}\n' });
    const run = await place.run(['run', 'skill.yaml']);
    expectRefusal(run, 1, /error MODEL_UNKNOWN: step "think": .*"fancy".*fast[\s\S]*at skill\.yaml:\d+:\d+/);
  });

  it('without a configuration says so', async () => {
    await place.write({ 'skill.yaml': generation });
    const run = await place.run(['run', 'skill.yaml']);
    expectRefusal(
      run,
      1,
      /error MODEL_UNKNOWN: [\s\S]*there is no skillyard\.yaml beside the skill or in .*--config/,
    );
  });

  it('a tool server that does not start: its name, why, exit code 4', async () => {
    await place.write({
      'skill.yaml': call,
      'skillyard.yaml': 'servers:\n  depot: {command: ./no-such-program}\n',
    });
    const run = await place.run(['run', 'skill.yaml']);
    expectRefusal(
      run,
      4,
      /error SERVER_UNAVAILABLE: step "reach": .*"depot" does not start[\s\S]*at skill\.yaml:\d+:\d+/,
    );
  });

  it('a tool server that ends at once: exit code 4', async () => {
    const config = JSON.stringify({
      servers: { depot: { command: process.execPath, args: ['-e', 'process.exit(3)'] } },
    });
    await place.write({ 'skill.yaml': call, 'skillyard.yaml': config });
    expectRefusal(
      await place.run(['run', 'skill.yaml']),
      4,
      /error SERVER_UNAVAILABLE: step "reach": .*"depot"/,
    );
  });

  it('a skill to delegate to: where was looked, exit code 2', async () => {
    await place.write({ 'skill.yaml': skill([{ name: 'ask', delegate: { skill: 'logs', task: 't' } }]) });
    expectRefusal(
      await place.run(['run', 'skill.yaml']),
      2,
      /error SKILL_NOT_FOUND: step "ask": there is no skill "logs" in /,
    );
  });

  it('Redis: its address without the password, exit code 4', async () => {
    await place.write({ 'skill.yaml': skill([{ set: { var: 'answer', value: 'fine' } }]) });
    for (const args of [
      ['submit', 'skill.yaml'],
      ['watch', 'abc'],
    ]) {
      const run = await place.run(args, { REDIS_URL: 'redis://user:swordfish@127.0.0.1:1' });
      expectRefusal(
        run,
        4,
        /error REDIS_UNAVAILABLE: Redis at redis:\/\/user:\*+@127\.0\.0\.1:1 cannot be reached/,
      );
      expect(run.stderr).not.toContain('swordfish');
    }
  });
});

describe('--verbose', () => {
  it('adds the stack and its causes', async () => {
    const run = await place.run(['run', join('no', 'such.yaml'), '--verbose']);
    expect(run.stderr).toMatch(
      /error FILE_UNREADABLE: [\s\S]*\n\s+at .*\.js:\d+:\d+[\s\S]*caused by Error: ENOENT/,
    );
    expect(run.code).toBe(2);
  });
});
