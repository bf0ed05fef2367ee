import { describe, expect, it } from 'vitest';
import { compareRecorded } from './compare-recorded.ts';

const paths = (recorded: unknown, actual: unknown): string[] =>
  compareRecorded(recorded, actual).map(({ path }) => path);

describe('comparing with a recording', () => {
  it('finds what is missing, what is more and what is other, in depth', () => {
    expect(paths({ a: [1, { b: 2 }], c: 3 }, { a: [1, { b: 4 }], d: 5 })).toEqual(['a[1].b', 'c', 'd']);
    expect(paths([1], [1, 2])).toEqual(['[1]']);
  });

  it('finds keys in another order', () => {
    expect(paths({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual(['']);
  });

  it('takes any value of the form for a placeholder, also within a text', () => {
    const id = 'a'.repeat(32);
    expect(paths('<SESSION_DIR>/skill-kit-<SESSION_ID>.jsonl', `/tmp/x.y/skill-kit-${id}.jsonl`)).toEqual([]);
    expect(paths('<SESSION_ID>', 'short')).toEqual(['']);
    expect(paths('<ISO_DATE>', '2026-12-01T10:00:00.000Z')).toEqual([]);
    expect(paths('<MS>', 3)).toEqual([]);
    expect(paths('<MS>', '3')).toEqual(['']);
  });

  it('takes tags in prompts for what they are', () => {
    expect(paths('<prompt>\nGo.\n</prompt>', '<prompt>\nGo.\n</prompt>')).toEqual([]);
    expect(paths('<prompt>\nGo.\n</prompt>', '<prompt>\nStay.\n</prompt>')).toEqual(['']);
  });

  it('compares of a message only what it names', () => {
    const recorded = { $kit_error: 'mock-model', mentions: ['draft'], numbers: [2, 1] };
    expect(paths(recorded, 'step "draft" was visited 2 times, and there is 1 answer')).toEqual([]);
    expect(paths(recorded, 'step "choose" was visited 2 times, and there is 1 answer')).toEqual(['']);
    expect(paths(recorded, 'step "draft" was visited 2 times, and there are 12 answers')).toEqual(['']);
    expect(paths(recorded, undefined)).toEqual(['']);
  });

  it('lets the header of a session say more, and no other line', () => {
    expect(paths({ type: 'header', skill: 'x' }, { type: 'header', skill: 'x', more: 1 })).toEqual([]);
    expect(paths({ type: 'prompt', step: 'x' }, { type: 'prompt', step: 'x', more: 1 })).toEqual(['more']);
  });

  it('compares of a preamble the text before it and its tools', () => {
    const recorded = {
      $preamble: {
        leading_system: 'Be calm.',
        separator_after_system: String.raw`\n\n`,
        standard_intro_lines: 2,
        columns: ['Tag', 'Tool', 'How'],
        separator_row: '|---|---|---|',
        rows: [{ tag: '`<plan>`', tool: 'Plan' }],
      },
    };
    const text = (tool: string): string =>
      `Be calm.\n\nAny words.\n\n| Tag | Tool | How |\n|---|---|---|\n| \`<plan>\` | ${tool} | any words |`;
    expect(paths(recorded, text('Plan'))).toEqual([]);
    expect(paths(recorded, text('—'))).toEqual(['rows[0].tool']);
  });
});
