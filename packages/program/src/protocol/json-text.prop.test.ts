import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactJson, elementsOf, membersOf } from './json-text.ts';

/** Texts that are JSON, or nearly so: tokens of JSON and what is mistaken for them, in any order. */
const SPLINTERS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ' ',
  '\n',
  '"',
  '"a"',
  '"\\u00e9"',
  '"\\ud800"',
  '"\\x"',
  '\\',
  '1',
];
const nearly = fc
  .array(
    fc.constantFrom(
      ...SPLINTERS,
      '0',
      '01',
      '-',
      '-0',
      '.5',
      '1.',
      '1e5',
      '1E+',
      'true',
      'null',
      '\ufeff',
      'é',
    ),
  )
  .map((parts) => parts.join(''));
/** JSON with white space, escapes and numbers that parsing and printing would change. */
const written = fc.oneof(
  fc
    .tuple(fc.json(), fc.constantFrom('', '  ', '\t'))
    .map(([text, gap]) => JSON.stringify(JSON.parse(text), null, gap)),
  fc.constantFrom(
    '1.0',
    '1e3',
    '-0.0',
    '9007199254740993',
    '"\\u003c\\/"',
    '{"a":1, "a" :2}',
    ' [ ] ',
    '{ }',
  ),
);

describe('the scanner', () => {
  it('takes as JSON what JSON.parse takes, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(nearly, fc.json(), fc.string()), (text) => {
        expect(outcome(() => compactJson(text))).toBe(outcome(() => JSON.parse(text)));
      }),
      { numRuns: 3000 },
    );
  });

  it('drops nothing but white space between tokens', () => {
    fc.assert(
      fc.property(written, fc.constantFrom('', ' ', '\r\n'), (text, around) => {
        const compact = compactJson(`${around}${text}${around}`);
        expect(JSON.parse(compact)).toEqual(JSON.parse(text));
        expect(tokens(compact)).toEqual(tokens(text));
        expect(compactJson(compact)).toBe(compact);
        expect(compact.replaceAll(STRINGS, '')).not.toMatch(/\s/u);
      }),
    );
  });

  it('cuts objects and arrays into the texts of their parts', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), written)), fc.constantFrom('', ' ', '\n'), (parts, gap) => {
        const object = parts.map(([key, value]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${value}${gap}`);
        const array = parts.map(([, value]) => `${gap}${value}${gap}`);
        expect(membersOf(`{${object.join(',')}}`)).toEqual(parts.map(([key, value]) => [key, value.trim()]));
        expect(elementsOf(`${gap}[${array.join(',')}]`)).toEqual(parts.map(([, value]) => value.trim()));
      }),
    );
  });
});

const STRINGS = /"(?:[^"\\]|\\.)*"/gu;

function outcome(read: () => unknown): 'JSON' | 'SyntaxError' {
  try {
    read();
    return 'JSON';
  } catch (error) {
    if (error instanceof SyntaxError) return 'SyntaxError';
    throw error;
  }
}

function tokens(text: string): readonly string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gu) ?? [];
}
