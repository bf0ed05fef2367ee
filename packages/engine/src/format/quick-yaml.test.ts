import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lines } from './lines.ts';
import { readQuickYaml } from './quick-yaml.ts';
import { readFullYaml } from './read-yaml.ts';
import { Report } from './report.ts';

/** What the quick reader takes must be what the full parser says, places included. */
function agrees(text: string): boolean {
  const quick = readQuickYaml(text);
  if (quick === undefined) return false;
  const report = new Report(new Lines(text), undefined);
  const full = readFullYaml(text, report);
  expect({ text, problems: report.diagnostics }).toEqual({ text, problems: [] });
  expect({ text, tree: inOrder(quick) }).toEqual({ text, tree: inOrder(full) });
  return true;
}

/** The tree as text: a comparison of Maps would not look at the order of their keys. */
function inOrder(tree: unknown): string {
  return JSON.stringify(tree, (_key, value: unknown) => (value instanceof Map ? [...value] : value), 1);
}

const corpus = ['validate', 'execute', 'lint', 'migrate'].flatMap((name) => {
  const url = new URL(`../../../../conformance/${name}.json`, import.meta.url);
  const cases = JSON.parse(readFileSync(url, 'utf8')) as { input: { skill?: string; text?: string } }[];
  return cases.map(({ input }) => input.skill ?? input.text ?? '');
});

/** Lines that meet in all ways, each at an indent of its own. */
const fragment = fc.constantFrom(
  'a:',
  'b: 1',
  'c: "x"',
  "d: 'it''s'",
  'e: [a, b]',
  'f: {k: v, n: -4}',
  '- a',
  '- ',
  '-',
  '- k: v',
  '- - x',
  '- k:',
  'g: |',
  'h: |-',
  'i: |+',
  '- |',
  'j: >',
  '# note',
  'k: v # note',
  'l: a#b',
  'm: a: b',
  'n: "x" y',
  'o: [a',
  'p: ]',
  'text',
  'q: *x',
  'r: &x 1',
  '? s',
  'null: 1',
  '"t u": 2',
  'v:w: 3',
  'x: - y',
  '',
  '   ',
  'y: ~',
  'z: {{n}}',
  'aa: "{{n}}"',
  'bb: [{a: b}, "c"]',
  'cc: a b  c',
  '---',
  '...',
  'dd: !!str 1',
  'ee : 1',
  'ключ: слово',
  'ff: -',
  'gg: -1.5',
  'hh: "\\n"',
  'ii: "\\x41"',
  'jj: [a: b]',
  'kk: {a}',
  'll: {a: }',
  'mm: [a, ]',
  'nn: http://x/y',
  'oo: [http://x/y, "a:b"]',
  'pp: {a: b:c}',
  "qq: don't",
  'rr: a, b',
  'ss: (x) = y',
  '<<: 1',
  '\ttab: 1',
  'tt: a\tb',
  'uu:\tv',
);
const indented = fc.tuple(fc.nat(4), fragment).map(([depth, line]) => ' '.repeat(depth) + line);
const ending = fc.constantFrom('', '\n', '\n\n', ' ');
const anyLines = fc
  .tuple(fc.array(indented, { maxLength: 7 }), ending)
  .map(([lines, end]) => lines.join('\n') + end);

/** Well-formed blocks, one line each entry, so that most of them are taken. */
const scalar = fc.constantFrom(
  '1',
  'yes',
  '~',
  '',
  '"x y"',
  "'it''s'",
  '"\\n"',
  '[a, 1]',
  '{k: v}',
  '[]',
  '{}',
  '[[a], {b: [c]}]',
  'a b  c',
  'a:b',
  "don't",
  'x # note',
  '-1.5',
  'a#b',
  '|\n#   text\n#\n#     more',
  '|-\n#   text\n#',
  '|+\n#   text\n#\n#',
);
const { block } = fc.letrec<{ block: readonly string[] }>((tie) => {
  const key = fc.constantFrom('a', 'b', 'c d', '"e f"', "'g'", 'ключ', '7', 'h-i');
  const inner = tie('block');
  const deeper = fc
    .tuple(inner, fc.constantFrom('', '  ', '    '))
    .map(([lines, by]) => lines.map((line) => by + line));
  const entry = fc.oneof(
    fc
      .tuple(key, scalar)
      .map(([name, value]) => `${name}: ${value}`.split('\n').map((line) => line.replace(/^#/, ''))),
    fc.tuple(key, deeper).map(([name, lines]) => [`${name}:`, ...lines]),
  );
  const item = fc.oneof(
    scalar.map((value) => `- ${value}`.split('\n').map((line) => line.replace(/^#/, ''))),
    inner.map((lines) => lines.map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`))),
    deeper.map((lines) => ['-', ...lines]),
  );
  const note = fc.constantFrom([], [], [''], ['# note'], ['   # note']);
  const spaced = (one: fc.Arbitrary<readonly string[]>) => fc.tuple(note, one).map((parts) => parts.flat());
  const several = (one: fc.Arbitrary<readonly string[]>) =>
    fc.array(spaced(one), { minLength: 1, maxLength: 3 }).map((parts) => parts.flat());
  return {
    block: fc.oneof(
      { maxDepth: 4 },
      several(fc.tuple(key, scalar).map(([name, value]) => [`${name}: ${value.split('\n')[0]}`])),
      several(entry),
      several(item),
    ),
  };
});
const wellFormed = fc.tuple(block, ending).map(([lines, end]) => lines.join('\n') + end);

describe('the quick reader and the full parser', () => {
  it('agree on every skill of the conformance corpus, and the quick reader takes most of them', () => {
    const taken = corpus.filter((text) => agrees(text));
    expect(taken.length).toBeGreaterThan(corpus.length * 0.8);
  });

  it('agree on whatever lines meet', () => {
    fc.assert(
      fc.property(anyLines, (text) => void agrees(text)),
      { numRuns: 10_000 },
    );
  });

  it('agree on well-formed blocks', () => {
    fc.assert(
      fc.property(wellFormed, (text) => void agrees(text)),
      { numRuns: 5000 },
    );
  });

  it('agree on skills that were cut, joined or changed somewhere', () => {
    const change = fc.tuple(
      fc.constantFrom(...corpus),
      fc.nat(),
      fc.nat(6),
      fc.constantFrom('', ' ', '  ', '\n', ':', '#', '-', '"', "'", '|', '[', '}', ',', '\t', 'x'),
    );
    const mutated = change.map(([text, at, length, put]) => {
      const from = text.length === 0 ? 0 : at % text.length;
      return text.slice(0, from) + put + text.slice(from + length);
    });
    fc.assert(
      fc.property(mutated, (text) => void agrees(text)),
      { numRuns: 2000 },
    );
  });
});
