import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type } from 'arktype';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReferenceDefinition, SkillDefinition } from '../src/definition/skill-definition.ts';
import { callCli, type CallResult } from './cli/call-cli.ts';
import { definition } from './cli/definition.ts';

const N = type({ n: 'number' });

const tea = definition(
  'tea',
  {
    brew: { prompt: ({ params }) => `Brew ${(params as { leaf: string }).leaf}.`, response: N, next: 'sip' },
    sip: { prompt: 'Sip.', response: N, next: { terminal: true } },
  },
  { params: type({ leaf: 'string' }) },
);

const mooring = definition(
  'mooring',
  {
    measure: { prompt: ({ params }) => JSON.stringify(params), response: N, next: 'gate' },
    gate: { next: 'berth' },
    berth: { prompt: ({ params }) => JSON.stringify(params), response: N, next: { terminal: true } },
  },
  { params: type({ vessel: "string = 'unnamed'" }) },
);

const harbour = definition(
  'harbour',
  {
    greet: {
      prompt: 'Greet.',
      response: N,
      next: ({ response }) => ((response as { n: number }).n > 0 ? 'subskill:mooring' : 'topic:tides'),
    },
  },
  {
    subskills: {
      mooring: {
        definition: mooring,
        params: (response) => ({ vessel: `v${(response as { n: number }).n}` }),
      },
    },
    topics: { tides: { label: 'Tide tables', content: ({ refs }) => refs.load('tides.md') } },
  },
);

const knots: ReferenceDefinition = {
  kind: 'reference',
  name: 'knots',
  version: '1.0.0',
  resolveVersion: false,
  description: 'Knots on demand.',
  package: undefined,
  topics: { clove: { label: 'Clove hitch', content: () => 'Two turns, tuck under.' } },
};

let folder = '';
let session: { sessionId: string; file: string; line: number };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kit-words-'));
  mkdirSync(join(folder, 'references'));
  writeFileSync(join(folder, 'references', 'tides.md'), '# Tides');
});

afterAll(() => rmSync(folder, { recursive: true }));

async function run(skill: SkillDefinition | ReferenceDefinition, ...argv: string[]): Promise<CallResult> {
  return await callCli(skill, argv, folder);
}

async function begin(skill: SkillDefinition, ...argv: string[]): Promise<void> {
  const { stdout } = await run(skill, ...argv, '--session', 'new', '--session-dir', folder);
  session = JSON.parse(stdout) as typeof session;
}

async function advance(skill: SkillDefinition, ...argv: string[]): Promise<CallResult> {
  return await run(skill, 'advance', ...argv, '--session', session.sessionId, '--session-dir', folder);
}

function lines(): Record<string, unknown>[] {
  return readFileSync(session.file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the words of a skill', () => {
  it.each([[], ['--help'], ['-h'], ['bogus'], ['advance', '--output', '--help']])(
    'show the help on stderr for %j',
    async (...argv) => {
      const { code, stdout, stderr } = await run(tea, ...argv);
      expect([code, stdout]).toEqual([0, '']);
      expect(stderr).toMatch(/^tea\n/);
      expect(stderr).toContain('skill-kit-sessions');
    },
  );

  it.each([
    [['advance'], 'error: --step is missing'],
    [['advance', '--step', 'brew'], 'error: --output is missing'],
    [['advance', '--step', 'brew', '--output', ''], 'error: --output is missing'],
    [['advance', '--step', 'brew', '--output', '{no'], 'error: --output is no JSON'],
    [['cleanup'], 'error: --session is missing'],
    [['--params', '{}'], 'leaf'],
  ])('say what is wrong with %j in one line, with nothing on stdout', async (argv, message) => {
    const { code, stdout, stderr } = await run(tea, ...argv);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr.split('\n')).toHaveLength(2);
  });

  it('list and show topics', async () => {
    expect(await run(harbour, 'topics')).toEqual({ code: 0, stdout: 'tides: Tide tables\n', stderr: '' });
    expect((await run(harbour, 'topic', 'tides')).stdout).toBe('# Tides\n');
    expect((await run(harbour, 'topic', 'fog')).stderr).toBe(
      'error: unknown topic "fog": the word "topics" lists them\n',
    );
  });

  it('of a reference skill list its topics when there is none, and refuse what they do not know', async () => {
    expect((await run(knots)).stdout).toBe('clove: Clove hitch\n');
    expect((await run(knots, 'topic', 'clove')).stdout).toBe('Two turns, tuck under.\n');
    expect(await run(knots, 'bogus')).toMatchObject({ code: 1, stdout: '' });
    expect((await run(knots, '--help')).stderr).toMatch(/^knots: Knots on demand/);
  });

  it('reach a sub-skill past the dispatcher, with or without the prefix of its steps', async () => {
    const params = ['--params', '{"vessel":"Wren"}'];
    const started = JSON.parse((await run(harbour, 'mooring', ...params)).stdout) as object;
    expect(started).toMatchObject({ step: 'mooring/measure' });
    for (const words of [
      ['mooring', 'advance', '--step', 'measure'],
      ['advance', '--step', 'mooring/measure'],
    ]) {
      const { stdout } = await run(harbour, ...words, '--output', '{"n":1}', ...params);
      expect(JSON.parse(stdout)).toMatchObject({
        step: 'mooring/berth',
        prompt: '<prompt>\n{"vessel":"Wren"}\n</prompt>',
        completed: { step: 'mooring/measure' },
        autoAdvanced: [{ step: 'mooring/gate' }],
      });
    }
  });
});

describe('a session', () => {
  beforeEach(async () => await begin(tea, '--params', '{"leaf":"oolong"}', '--output-mode', 'flag'));

  it('refuses a step that is not the current one, and stays where it is', async () => {
    await advance(tea, '--step', 'sip', '--output', '{"n":1}');
    expect(lines().at(-1)).toEqual({
      type: 'error',
      kind: 'error',
      error: 'validation',
      step: 'sip',
      message: 'Step "sip" is not the current step: answer "brew"',
      retry: false,
    });
    await advance(tea, '--step', 'brew', '--output', '{"n":1}');
    expect(lines().at(-1)).toMatchObject({ type: 'prompt', step: 'sip' });
  });

  it('gives the line of then for an answer that was accepted', async () => {
    expect((await advance(tea, '--step', 'brew', '--output', '{"n":1}')).stdout).toBe('4\n');
    expect((await advance(tea, '--step', 'brew', '--output', '{"n":1}')).stdout).toBe('4\n');
    expect(lines()).toHaveLength(4);
  });

  it('takes nothing after its end', async () => {
    await advance(tea, '--step', 'brew', '--output', '{"n":1}');
    await advance(tea, '--step', 'sip', '--output', '{"n":2}');
    expect((await advance(tea, '--step', 'sip', '--output', '{"n":2}')).stdout).toBe('6\n');
    await advance(tea, '--step', 'sip', '--output', '{"n":3}');
    expect(lines().at(-1)).toMatchObject({ type: 'error', retry: false });
  });

  it('wants the answer on the command line when it was begun so', async () => {
    expect((await advance(tea)).stderr).toContain('--step and --output are required');
  });

  it('is refused to another skill, and to the skill when its steps have changed', async () => {
    const changed = definition('tea', { ...tea.steps, sip: { prompt: 'Gulp.', next: { terminal: true } } });
    const answer = ['--step', 'brew', '--output', '{"n":1}'];
    expect((await advance(changed, ...answer)).stderr).toContain('another version of "tea"');
    expect((await advance(harbour, ...answer)).stderr).toContain('is of the skill "tea"');
    expect((await advance(tea, ...answer)).stdout).toBe('4\n');
  });

  it('is not begun anew by one whose start failed', async () => {
    const { code, stderr } = await run(tea, '--session', 'new', '--session-dir', folder);
    expect(code).toBe(1);
    expect(stderr).toContain('leaf');
  });

  it('is deleted silently, once and again', async () => {
    const words = ['cleanup', '--session', session.sessionId, '--session-dir', folder];
    expect(await run(tea, ...words)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run(tea, ...words)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await advance(tea, '--step', 'brew', '--output', '{}')).stderr).toContain('unknown session');
  });

  it('is not what a path names', async () => {
    const { code, stderr } = await run(tea, 'cleanup', '--session', '../victim', '--session-dir', folder);
    expect([code, stderr]).toEqual([0, '[skill-kit] "../victim" is no session id: nothing was deleted\n']);
  });
});

describe('a session whose answers are appended to its file', () => {
  beforeEach(async () => await begin(tea, '--params', '{"leaf":"oolong"}'));

  it('says so when there is none yet, or none that can be read', async () => {
    expect((await advance(tea)).stderr).toContain('there is no answer in');
    appendFileSync(session.file, '{"type":"output","step":"brew","output":{n:1}}');
    expect((await advance(tea)).stderr).toContain('line 3 of');
  });

  it('does not take one twice', async () => {
    appendFileSync(session.file, '{"type":"output","step":"brew","output":{"n":1}}\n');
    expect((await advance(tea)).stdout).toBe('4\n');
    expect((await advance(tea)).stdout).toBe('4\n');
    expect(lines()).toHaveLength(4);
  });
});

describe('a session of a composite', () => {
  it('keeps what the dispatcher gave to the sub-skill', async () => {
    await begin(harbour);
    await advance(harbour, '--step', 'greet', '--output', '{"n":7}');
    await advance(harbour, '--step', 'mooring/measure', '--output', '{"n":1}');
    expect(lines().at(-1)).toMatchObject({
      step: 'mooring/berth',
      prompt: '<prompt>\n{"vessel":"v7"}\n</prompt>',
    });
    const completed = lines().map((line) => (line['completed'] as { step: string } | undefined)?.step);
    expect(completed.filter((step) => step !== undefined)).toEqual([
      'greet',
      'mooring/measure',
      'mooring/gate',
    ]);
  });

  it('begun in a sub-skill stays in it, with its params', async () => {
    await begin(harbour, 'mooring', '--params', '{"vessel":"Wren"}');
    await advance(harbour, '--step', 'measure', '--output', '{"n":1}');
    expect(lines().at(-1)).toMatchObject({
      step: 'mooring/berth',
      prompt: '<prompt>\n{"vessel":"Wren"}\n</prompt>',
    });
  });
});
