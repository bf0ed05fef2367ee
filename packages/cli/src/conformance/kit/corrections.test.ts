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
  });

  it('are those of all transports where they are about warnings', () => {
    expect(tags.of('five.cli-session-flag.full')).toEqual(['D27']);
  });

  it('are none without an index', async () => {
    expect((await readDefectTags(join(folder, 'nowhere'))).of('one.cli-stateless.gates')).toEqual([]);
  });
});

const at = (...paths: string[]): { path: string; expected: string; actual: string }[] =>
  paths.map((path) => ({ path, expected: '1', actual: '2' }));

describe('a correction', () => {
  const prompt = { exit: 0, kind: 'prompt', step: 'a' };
  const refused = { exit: 0, kind: 'error', step: 'a' };

  it('is what differs where its defect shows', () => {
    const same = { recorded: prompt, actual: prompt };
    expect(correctionOf(['D1'], at('stdout.completed.step'), same)).toBe(
      'a step that is followed by gates is not lost',
    );
    expect(correctionOf(['D1', 'D4'], at('stdout.completed.step', 'stdout.prompt'), same)).toContain('; ');
  });

  it('is nothing that differs elsewhere', () => {
    const same = { recorded: prompt, actual: prompt };
    expect(correctionOf(['D1'], at('stdout.completed.step', 'stdout.prompt'), same)).toBeNull();
    expect(correctionOf([], at('stdout.completed.step'), same)).toBeNull();
    expect(correctionOf(['D999'], at('stdout.completed.step'))).toBeNull();
  });

  it('is another outcome only where its defect is one of outcomes', () => {
    const becomesError = { recorded: prompt, actual: refused };
    expect(correctionOf(['D1'], at('stdout.kind'), becomesError)).toBeNull();
    expect(correctionOf(['D6'], at('stdout.kind'), becomesError)).toBe(
      'only the step that was asked may answer',
    );
    expect(correctionOf(['D6'], at('stdout.kind'), { recorded: refused, actual: prompt })).toBeNull();
  });
});
