import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolServerCommand, until } from '@skillyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

const config = (value: unknown): string => JSON.stringify(value);

/** A skill that calls one tool, with a header that lists its server. */
function calling(tool: string, args: Readonly<Record<string, unknown>> = {}): string {
  const [server = ''] = tool.split(':');
  const steps = [{ name: 'go', call: { tool, args } }];
  return `servers: [${server}]\ntrigger_examples: [go]\n${asYaml(skill(steps, { tools: [server] }))}`;
}

/** The same mapping without its braces, so that keys can stand before it. */
function asYaml(json: string): string {
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>);
  return entries.map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join('');
}

const rulesOf = (stdout: string): string[] => {
  const { files } = JSON.parse(stdout) as { files: { findings: { rule: string }[] }[] };
  return files.flatMap(({ findings }) => findings.map(({ rule }) => rule));
};

describe('what lint prints', () => {
  it('is a line for each finding, with its place and its hint, then a summary; errors give exit code 1', async () => {
    await place.write({
      'skillyard.yaml': config({ servers: { berths: { command: 'berths' } } }),
      'skill.yaml': calling('phantom:find').replace('trigger_examples: [go]\n', ''),
    });
    const run = await place.run(['lint', 'skill.yaml']);
    expect(run.stdout).toMatch(/^skill\.yaml:1:\d+: error E1: .*phantom.*\n {2}hint: /m);
    expect(run.stdout).toMatch(/^skill\.yaml:\d+:\d+: info S6: /m);
    expect(run.stdout).toMatch(/\n1 skill linted: \d errors?, 0 warnings, \d notes?\n$/);
    expect(run.code).toBe(1);
  });

  it('says of a clean skill which rules could not look at it, and gives exit code 0', async () => {
    await place.write({
      'skillyard.yaml': config({ servers: { berths: { command: 'berths' } } }),
      'skill.yaml': calling('berths:find'),
    });
    const run = await place.run(['lint', 'skill.yaml']);
    expect(run.stdout).toMatch(/info X1: W3 .*`all_tools` is not given/);
    expect(run.stdout).toMatch(/info X1: W5 .*`tool_schemas` is not given/);
    expect(run.stdout.match(/hint: `--live`/g)).toHaveLength(1);
    expect(run.code).toBe(0);
  });

  it('with --json is one document of the files, what was skipped and the counts', async () => {
    await place.write({ 'skills/a.yaml': calling('depot:x'), 'skills/list.yaml': 'towns: [Kyiv]\n' });
    const run = await place.run(['lint', 'skills', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      passed: true,
      counts: { errors: 0, warnings: 0 },
      files: [
        { file: 'skills/a.yaml', skipped: expect.arrayContaining(['E1', 'W2', 'W3', 'W5']) as unknown },
      ],
      skipped: ['skills/list.yaml'],
      unreached: [],
    });
    expect(run.code).toBe(0);
  });

  it('looks at a file once, however often it is named', async () => {
    await place.write({ 'skills/a.yaml': calling('depot:x') });
    const run = await place.run(['lint', 'skills', 'skills/a.yaml', './skills/a.yaml']);
    expect(run.stdout).toMatch(/\n1 skill linted: /);
  });

  it('with --sarif is a log whose names of files start at the working directory', async () => {
    await place.write({ 'my skills/a.yaml': calling('depot:x').replace('trigger_examples: [go]\n', '') });
    const run = await place.run(['lint', 'my skills', '--sarif']);
    const [first] = (JSON.parse(run.stdout) as { runs: unknown[] }).runs;
    expect(first).toMatchObject({
      invocations: [{ executionSuccessful: true }],
      results: expect.arrayContaining([
        expect.objectContaining({
          ruleId: 'S6',
          level: 'note',
          locations: [
            expect.objectContaining({
              physicalLocation: expect.objectContaining({
                artifactLocation: { uri: 'my%20skills/a.yaml', uriBaseId: 'SRCROOT' },
              }) as unknown,
            }),
          ],
        }),
      ]) as unknown,
    });
    expect(run.code).toBe(0);
  });

  it('with --rules is the list of rules, for people and as data', async () => {
    const run = await place.run(['lint', '--rules']);
    expect(run.stdout).toMatch(/^W14 +error +\S/m);
    expect(run.stdout.trim().split('\n')).toHaveLength(31);
    const data = JSON.parse((await place.run(['lint', '--rules', '--json'])).stdout) as { rules: object[] };
    expect(data.rules).toHaveLength(31);
    expect(data.rules[0]).toMatchObject({ id: 'S1', severity: 'error', facts: [], options: [] });
  });

  it('fails beyond --max-warnings', async () => {
    const lint = { playbook_budget: 5 };
    const playbook =
      'skill_engine_version: "2.0.0"\nname: a\ndescription: d\ntrigger_examples: [x]\nplaybook: Talk to them.\n';
    await place.write({ 'skillyard.yaml': config({ lint }), 'skill.yaml': playbook });
    expect((await place.run(['lint', 'skill.yaml'])).code).toBe(0);
    expect((await place.run(['lint', 'skill.yaml', '--max-warnings', '1'])).code).toBe(0);
    expect((await place.run(['lint', 'skill.yaml', '--max-warnings', '0'])).code).toBe(1);
  });
});

describe('where facts come from', () => {
  it('a configuration without servers says nothing of servers, and one with servers does', async () => {
    await place.write({ 'skillyard.yaml': config({ concurrency: 2 }), 'skill.yaml': calling('depot:x') });
    const without = await place.run(['lint', 'skill.yaml', '--json']);
    expect(rulesOf(without.stdout)).not.toContain('E1');
    expect(JSON.parse(without.stdout)).toMatchObject({
      files: [{ skipped: expect.arrayContaining(['E1']) as unknown }],
    });
    await place.write({ 'skillyard.yaml': config({ servers: { depot: { command: 'depot' } } }) });
    expect(JSON.parse((await place.run(['lint', 'skill.yaml', '--json'])).stdout)).toMatchObject({
      files: [{ skipped: ['W3', 'W5'] }],
    });
  });

  it('skills beside the skill and in the folders of the configuration may be delegated to', async () => {
    const steps = ['near', 'far', 'lost'].map((name) => ({ name, delegate: { skill: name, task: 'go' } }));
    await place.write({
      'skillyard.yaml': config({ skills: ['more'] }),
      'skills/one.yaml': skill(steps),
      'skills/near.yaml': skill([{ instruction: 'x' }], { name: 'near' }),
      'more/far.yaml': skill([{ instruction: 'x' }], { name: 'far' }),
    });
    const run = await place.run(['lint', 'skills/one.yaml']);
    expect(run.stdout).toMatch(/warning E4: .*lost/);
    expect(run.stdout.match(/ E4: /g)).toHaveLength(1);
  });

  it('the built-in tools of the installed version are known, and a playbook has some without declaring them', async () => {
    const head = 'skill_engine_version: "2.0.0"\nname: a\ndescription: d\ntrigger_examples: [x]\n';
    await place.write({
      'flow.yaml': `${head}builtin_tools: [memory_read, activate_skill, sing]\nworkflow: {steps: [{instruction: x}]}\n`,
      'prose.yaml': `${head}playbook: Call memory_read(handle), activate_skill(name) and sing(song).\n`,
    });
    const run = await place.run(['lint', 'flow.yaml', 'prose.yaml']);
    expect(run.stdout.match(/error \w+: .*/g)).toEqual([expect.stringMatching(/^error W15: .*"sing"/)]);
  });

  it('--facts wins over the configuration', async () => {
    await place.write({
      'skillyard.yaml': config({ servers: { berths: { command: 'berths' } } }),
      'facts.json': config({
        server_names: ['depot'],
        all_tools: { depot: ['wash'] },
        tool_schemas: { 'depot:x': {} },
      }),
      'skill.yaml': calling('depot:x'),
    });
    const run = await place.run(['lint', 'skill.yaml', '--facts', 'facts.json', '--json']);
    expect(rulesOf(run.stdout)).toEqual(['W3']);
  });

  it('--live asks the servers, names the one that is away and lints without it', async () => {
    const servers = { depot: toolServerCommand(), cellar: { command: './not-there' } };
    await place.write({
      'skillyard.yaml': config({ servers }),
      'skills/good.yaml': calling('depot:echo', { text: 'x' }),
      'skills/bad.yaml': calling('depot:phantom'),
      'skills/dark.yaml': calling('cellar:x'),
    });
    const run = await place.run(['lint', 'skills', '--live']);
    expect(run.stderr).toMatch(/warning SERVER_UNAVAILABLE: linted without the tools of cellar: /);
    expect(run.stdout).toMatch(/skills\/bad\.yaml:\d+:\d+: error W3: .*phantom/);
    expect(run.stdout).not.toMatch(/good\.yaml:.*error/);
    expect(run.stdout).not.toMatch(/dark\.yaml:.*error/);
    expect(run.code).toBe(1);
  });
});

describe('lint --live', () => {
  it('is cancelled by Ctrl-C while a server says nothing, and ends it', async () => {
    const silent = "require('fs').writeFileSync('started', String(process.pid)); setInterval(() => {}, 1000)";
    await place.write({
      'skillyard.yaml': config({ servers: { depot: { command: process.execPath, args: ['-e', silent] } } }),
      'skill.yaml': calling('depot:x'),
    });
    const lint = place.start(['lint', 'skill.yaml', '--live']);
    const pid = Number(await until(() => readFile(join(place.folder, 'started'), 'utf8').catch(() => '')));
    lint.child.kill('SIGINT');
    expect((await lint.exited).code).toBe(130);
    await until(() => !isAlive(pid));
  });
});

/** Whether a process is there. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the examples', () => {
  it('are without errors and warnings', async () => {
    const run = await place.run(['lint', EXAMPLES, '--max-warnings', '0']);
    expect(run.stdout).toMatch(/ skills linted: 0 errors, 0 warnings, \d+ notes\n$/);
    expect(run.code).toBe(0);
  });
});

describe('what lint refuses, with exit code 2', () => {
  it.each([
    [
      'a fact that is misspelt',
      '{"server_name": ["depot"]}',
      /facts\.json:1:2: unknown key `server_name`; did you mean `server_names`/,
    ],
    ['a fact of the wrong kind', '{"skill_names": "a"}', /facts\.json:1:17: skill_names must be a list/],
    ['facts that are no JSON', '{"skill_names": [', /error INPUT_INVALID: facts\.json:1:/],
    ['no facts at all', '', /facts\.json:1:1: the file is empty/],
  ])('%s', async (_what, facts, message) => {
    await place.write({ 'skill.yaml': calling('depot:x'), 'facts.json': facts });
    const run = await place.run(['lint', 'skill.yaml', '--facts', 'facts.json']);
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(2);
  });

  it.each([
    ['no path', [], /no skill is named/],
    ['a file that is not there', ['gone.yaml'], /FILE_UNREADABLE: gone\.yaml/],
    ['an empty folder', ['.'], /there is no skill file/],
    [
      'a facts file that is not there',
      ['.', '--facts', 'gone.json'],
      /the facts file gone\.json cannot be read: there is no such file/,
    ],
    [
      'a configuration that is not there',
      ['.', '-c', 'gone.yaml'],
      /the configuration gone\.yaml cannot be read/,
    ],
    ['two forms at once', ['.', '--json', '--sarif'], /keep one of them/],
    [
      'a limit that is no number',
      ['.', '--max-warnings', 'many'],
      /--max-warnings "many" is no whole number/,
    ],
  ])('%s', async (_what, args, message) => {
    const run = await place.run(['lint', ...args]);
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(2);
  });

  it('a file it cannot read, a configuration it cannot use: these are named, and the other files are linted', async () => {
    await place.write({
      'skills/binary.yaml': 'x',
      'skills/broken/one.yaml': calling('depot:x'),
      'skills/broken/skillyard.yaml': 'lint: {empty_wrods: [a]}\n',
      'skills/pattern/one.yaml': `${calling('depot:x').replace(/^workflow.*$/m, '')}playbook: go\n`,
      'skills/pattern/skillyard.yaml': config({
        lint: { stale_apis: [{ pattern: '(', what: 'a', instead: 'b' }] },
      }),
      'skills/good.yaml': calling('depot:x'),
      'skills/parse.yaml': 'workflow: [\n',
    });
    await place.write({ 'skills/binary.yaml': `name: \ud800${'x'.repeat(1024 * 1024)}` });
    const run = await place.run(['lint', 'skills']);
    expect(run.stdout).toMatch(/^skills\/binary\.yaml: error SKILL_TOO_LARGE: /m);
    expect(run.stdout).toMatch(
      /error CONFIG_INVALID: .*unknown key `empty_wrods` in lint; did you mean `empty_words`\?/,
    );
    expect(run.stdout).toMatch(
      /^skills\/pattern\/one\.yaml: error CONFIG_INVALID: .*stale_apis\.0\.pattern is no regular expression/m,
    );
    expect(run.stdout).toMatch(/^skills\/parse\.yaml:\d+:\d+: error S1: /m);
    expect(run.stdout).toMatch(/^skills\/good\.yaml: info X1: /m);
    expect(run.stdout).toMatch(/5 skills linted, 3 could not be looked at: /);
    expect(run.code).toBe(2);
  });
});
