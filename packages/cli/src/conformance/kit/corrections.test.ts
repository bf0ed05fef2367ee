import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { correctionOf } from './corrections.ts';
import { readDefectTags } from './read-index.ts';

const folder = await mkdtemp(join(tmpdir(), 'skillyard-index-'));
afterAll(async () => rm(folder, { recursive: true }));
await writeFile(
  join(folder, 'INDEX.md'),
  [
    '# Any title',
    '| file | ids |',
    '|---|---|',
    '| one.cli-stateless.gates, two.cli-stateless.first, .second, three.mcp (no, really) | D1, D25 |',
    '| four.* (`a`, `b`) | D11 |',
    '| checks.json (`bad`) | D21 |',
    '| five.mcp.full | D27 (stderr warnings) |',
    '| saves.json (`{step: null}`, nested partial) | D13 |',
  ].join('\n'),
);
const tags = await readDefectTags(folder);

describe('the tags of an index', () => {
  it('are those of the scenario, the transport or the skill that is named', () => {
    expect(tags.of('one.cli-stateless.gates')).toEqual(['D1', 'D25']);
    expect(tags.of('two.cli-stateless.second')).toEqual(['D1', 'D25']);
    expect(tags.of('three.mcp.anything')).toEqual(['D1', 'D25']);
    expect(tags.of('four.cli-session-file.x')).toEqual(['D11']);
    expect(tags.of('two.cli-stateless.third')).toEqual([]);
    expect(tags.of('three.cli-stateless.x')).toEqual([]);
  });

  it('are those of an entry where entries are named', () => {
    expect(tags.of('checks.json', 'bad')).toEqual(['D21']);
    expect(tags.of('checks.json', 'good')).toEqual([]);
    expect(tags.of('saves.json', 'save {step: null}')).toEqual(['D13']);
    expect(tags.of('saves.json', 'save a partial, nested partial')).toEqual(['D13']);
    expect(tags.of('saves.json', 'save {step}')).toEqual([]);
  });

  it('are those of all transports where they are about warnings', () => {
    expect(tags.of('five.cli-session-flag.full')).toEqual(['D27']);
  });

  it('are none without an index', async () => {
    expect((await readDefectTags(join(folder, 'nowhere'))).of('one.cli-stateless.gates')).toEqual([]);
  });
});

const differs = (...differences: (readonly [path: string, expected: unknown, actual: unknown])[]) =>
  differences.map(([path, expected, actual]) => ({
    path,
    expected: expected === undefined ? 'nothing' : JSON.stringify(expected),
    actual: actual === undefined ? 'nothing' : JSON.stringify(actual),
  }));

describe('a correction', () => {
  const prompt = { exit: 0, kind: 'prompt', step: 'a' };
  const gate = { step: 'gate', response: {}, result: {} };
  const answered = { step: 'a', response: { n: 1 }, result: { n: 1 } };
  const lost = {
    recorded: { stdout: { completed: gate, autoAdvanced: [gate] } },
    actual: { stdout: { completed: answered, autoAdvanced: [gate] } },
  };
  const step = ['stdout.completed.step', 'gate', 'a'] as const;

  it('is what differs where its defect shows, and nothing beside it', () => {
    expect(correctionOf(['D1'], differs(step), lost)).toBe('a step that is followed by gates is not lost');
    expect(correctionOf(['D1'], differs(step, ['stdout.prompt', 'x', 'y']), lost)).toBeNull();
    expect(correctionOf([], differs(step), lost)).toBeNull();
    expect(correctionOf(['D999'], differs(step), lost)).toBeNull();
  });

  it('is none when what was recorded is no case of the defect', () => {
    const other = { ...lost, recorded: { stdout: { completed: { ...gate, step: 'nowhere' } } } };
    expect(correctionOf(['D1'], differs(step), other)).toBeNull();
  });

  it.each<[string, string, string, boolean]>([
    ['D11', 'a <b>', 'a &lt;b&gt;', true],
    ['D11', 'a <b>', 'c &lt;b&gt;', false],
    ['D4', 'For unnamed, 1 m', 'For tug-1, 1 m', true],
    ['D4', 'For unnamed, 1 m', 'To tug-1, 1 m', false],
    ['D2', 'runs 2', 'runs 1', true],
    ['D2', 'runs 1', 'runs 2', false],
    ['D19', 'Rules: []', 'Rules: [Be kind.]', true],
    ['D19', 'Rules: []', 'Rule: [Be kind.]', false],
  ])('of %s looks at the prompt: %s, %s', (id, recorded, actual, isRight) => {
    const found = correctionOf([id], differs(['stdout.prompt', recorded, actual]), {
      recorded: {},
      actual: {},
    });
    expect(found !== null).toBe(isRight);
  });

  it('is another outcome only where its defect is one of outcomes', () => {
    const refused = { exit: 0, kind: 'error', step: 'a' };
    const asked = {
      recorded: { stdout: { kind: 'prompt' } },
      actual: { stdout: { message: 'Step "a" is not the current step: answer "b"' } },
    };
    const kind = differs(['stdout.kind', 'prompt', 'error']);
    const becomesError = { ...asked, outlines: { recorded: prompt, actual: refused } };
    expect(correctionOf(['D1'], kind, becomesError)).toBeNull();
    expect(correctionOf(['D6'], kind, becomesError)).toBe('only the step that was asked may answer');
    expect(
      correctionOf(['D6'], kind, { ...asked, outlines: { recorded: refused, actual: prompt } }),
    ).toBeNull();
  });

  it('lets a session file have fewer results, each of them as recorded', () => {
    const [output, error] = [
      { type: 'output', output: 1 },
      { type: 'error', kind: 'error' },
    ];
    const thinned = {
      recorded: { stdout: 3, session_file_lines: [output, error, error] },
      actual: { stdout: 2, session_file_lines: [output, error] },
    };
    const number = differs(['stdout', 3, 2]);
    expect(correctionOf(['D5'], number, thinned)).toBe('an answer that was taken is not taken again');
    const changed = {
      ...thinned,
      actual: { stdout: 2, session_file_lines: [{ ...output, output: 2 }, error] },
    };
    expect(correctionOf(['D5'], number, changed)).toBeNull();
    const without = { ...thinned, actual: { stdout: 2, session_file_lines: [error, error] } };
    expect(correctionOf(['D5'], number, without)).toBeNull();
  });
});
