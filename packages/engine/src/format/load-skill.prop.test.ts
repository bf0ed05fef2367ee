import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSkill } from './load-skill.ts';

const corpus = ['validate', 'execute', 'lint'].flatMap((name) => {
  const url = new URL(`../../../../conformance/${name}.json`, import.meta.url);
  const cases = JSON.parse(readFileSync(url, 'utf8')) as { input: { skill: string } }[];
  return cases.map(({ input }) => input.skill);
});

/** A result that holds what it promises. */
function isSound(text: string): void {
  const result = loadSkill(text);
  if (result.skill !== null) return;
  expect(result.diagnostics.length).toBeGreaterThan(0);
  for (const { message, hint, position } of result.diagnostics) {
    expect(message).not.toBe('');
    expect(hint).not.toBe('');
    expect(position?.line).toBeGreaterThan(0);
    expect(position?.column).toBeGreaterThan(0);
  }
}

describe('loadSkill', () => {
  it('never throws on any text, and says why when it does not load', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
    );
    fc.assert(fc.property(text, isSound), { numRuns: 2000 });
  });

  it('never throws on a skill that was changed somewhere', () => {
    const put = fc.constantFrom(
      '',
      '\n',
      ':',
      ' ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '&a ',
      '*a',
      '<<: *a',
      '|\n',
      '>',
      '!!int ',
      '? ',
      '---\n',
      '\t',
      '#',
      '%',
      '{{x}}',
      'null',
      '1e999',
      '\uFEFF',
      '\r',
      '__proto__: 1',
    );
    const changed = fc.tuple(
      fc.constantFrom(...corpus),
      fc.array(fc.tuple(fc.nat(), fc.nat(8), put), { minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(changed, ([skill, changes]) => {
        let text = skill;
        for (const [place, length, inserted] of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + inserted + text.slice(at + length);
        }
        isSound(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws on any tree written as a skill', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, 1, -1, '', 'a', '{{a}}', 'a == b'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'steps',
            'instruction',
            'call',
            'tool',
            'args',
            'if',
            'cond',
            'then',
            'switch',
            'var',
            'cases',
            'for_each',
            'in',
            'as',
            'parallel',
            'branches',
            'ask',
            'options',
            'exit',
            'profile',
            'profiles',
            'assets',
            'tools',
            'name',
            'sampling',
            'fetch',
            'limits',
            'on_error',
            '__proto__',
          ),
          tie('tree'),
          { maxKeys: 6 },
        ),
      ),
    }));
    fc.assert(
      fc.property(tree, (workflow) =>
        isSound(JSON.stringify({ skill_engine_version: '2.5.0', name: 'a', description: 'd', workflow })),
      ),
      { numRuns: 2000 },
    );
  });
});
