import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lexer } from 'yaml';
import { loadSkill } from '../load-skill.ts';
import { migrateSkill } from './migrate-skill.ts';

const cases = (name: string): { input: { skill?: string; text?: string } }[] => {
  const url = new URL(`../../../../../conformance/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as { input: { skill?: string; text?: string } }[];
};
const migrations = cases('migrate').map(({ input }) => input.text ?? '');
const skills = ['validate', 'execute', 'lint'].flatMap((name) =>
  cases(name).map(({ input }) => input.skill ?? ''),
);

/** What a text tells people and not the program. */
function comments(text: string): string[] {
  return [...new Lexer().lex(text)].filter((lexeme) => lexeme.startsWith('#'));
}

/** A result that holds what it promises; most of it for texts that change. */
function isSound(text: string): void {
  const result = migrateSkill(text);
  if (!result.ok) {
    expect(result.diagnostics.length).toBeGreaterThan(0);
    for (const { message, hint, position } of result.diagnostics) {
      expect(message).not.toBe('');
      expect(hint).not.toBe('');
      expect(position?.line).toBeGreaterThan(0);
    }
    return;
  }
  expect(result.changed).toBe(result.text !== text);
  expect(result.changes.length > 0).toBe(result.changed);
  expect(migrateSkill(result.text)).toEqual({ ok: true, text: result.text, changed: false, changes: [] });
  if (!result.changed) return;
  expect(comments(result.text)).toEqual(comments(text));
  // Every other line is still there as it was, its end included, and in its order.
  const touched = new Set(result.changes.map((change) => change.position.line));
  const now = linesOf(result.text);
  let at = 0;
  for (const [index, line] of linesOf(text).entries()) {
    if (touched.has(index + 1)) continue;
    const found = now.indexOf(line, at);
    expect(found).toBeGreaterThanOrEqual(0);
    at = found + 1;
  }
  if (!text.includes('\r')) expect(result.text).not.toContain('\r');
  if (text.includes('a') && !text.endsWith('\n')) expect(result.text).not.toMatch(/\n$/);
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

const pieces = fc.constantFrom(
  '',
  '\n',
  '\r\n',
  ' ',
  '  ',
  ':',
  '- ',
  '{',
  '}',
  '"',
  '#',
  ' # c',
  '|',
  '&a ',
  '*a',
  '<<: *a\n',
  '? ',
  '---\n',
  '...\n',
  '%',
  '\t',
  '!!str ',
  'lang: x',
  'params: {lang: y}',
  'assets:',
  '\uFEFF',
  '\r',
);

describe('migrateSkill', () => {
  it('never throws on any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    );
    fc.assert(fc.property(text, isSound), { numRuns: 2000 });
  });

  it('holds what it promises for a recorded file that was changed somewhere', () => {
    const change = fc.tuple(fc.nat(), fc.nat(4), pieces);
    const changed = fc.tuple(fc.constantFrom(...migrations), fc.array(change, { maxLength: 3 }));
    fc.assert(
      fc.property(changed, ([file, changes]) => {
        let text = file;
        for (const [place, length, inserted] of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + inserted + text.slice(at + length);
        }
        isSound(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives a file that loads wherever only its version kept it from loading', () => {
    const versions = fc.constantFrom('1.0.0', 'v1.4.2', '"1.9.0"', "'0.3.0'", '');
    const lineEnd = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.constantFrom(...skills), versions, lineEnd, (skill, version, end) => {
        const declares = (text: string): string =>
          skill.replace(/^(skill_engine_version: *).*$/m, `$1${text}`).replaceAll('\n', end);
        fc.pre(loadSkill(declares('"2.0.0"')).skill !== null && loadSkill(skill).skill !== null);
        const older = declares(version);
        fc.pre(loadSkill(older).skill === null);
        const result = migrateSkill(older);
        expect(result.ok && loadSkill(result.text).diagnostics).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
