import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonText, renderJson, renderValue } from './json-text.ts';

const rendered = (text: string): string | undefined => {
  const node = parseJsonText(text);
  return node === undefined ? undefined : renderJson(node);
};

/** JSON texts with all the freedom of spelling that JSON leaves: blanks, escapes, odd numbers, duplicate keys. */
const spelledJson: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const blank = fc.constantFrom('', ' ', '\n\t ');
  const number = fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '12345678901234567890',
    '2.50',
    '1e2',
    '1E400',
    '-1e-400',
    '1e21',
  );
  const string = fc
    .array(
      fc.constantFrom('a', '10', 'é', '🚀', '\\n', '\\u0041', '\\ud800', '\\"', '/', '\\/', '\u2028', '<&>'),
    )
    .map((pieces) => `"${pieces.join('')}"`);
  const item = fc.tuple(blank, tie('value'), blank).map((pieces) => pieces.join(''));
  const member = fc
    .tuple(blank, string, blank, item)
    .map(([before, key, after, value]) => `${before}${key}${after}:${value}`);
  const list = fc
    .tuple(fc.array(item, { maxLength: 3 }), blank)
    .map(([items, space]) => `[${items.join(',') || space}]`);
  const object = fc
    .tuple(fc.array(member, { maxLength: 4 }), blank)
    .map(([members, space]) => `{${members.join(',') || space}}`);
  return {
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('null', 'true', 'false'),
      number,
      string,
      list,
      object,
    ),
  };
}).value;

describe('parseJsonText', () => {
  it('reads exactly the texts that JSON.parse reads', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'nul',
      'l',
      ' ',
      '\\',
      '\\u00',
      '\n',
      '\u00a0',
      '\ufeff',
    ];
    const texts = fc.oneof(
      spelledJson,
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
      fc.tuple(spelledJson, fc.constantFrom(...pieces), fc.nat()).map(([json, piece, at]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + piece + json.slice(place);
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let native = true;
        try {
          JSON.parse(text);
        } catch {
          native = false;
        }
        expect(parseJsonText(text) !== undefined).toBe(native);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    "'a'",
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    'NaN',
    '"a',
    '"\t"',
    '"\\x"',
    '"\\u12g4"',
    '[1] x',
    '\ufeff1',
    '\u00a01',
    '[}',
    '{]',
    'tru',
    '"',
  ])('does not read %j', (text) => {
    expect(parseJsonText(text)).toBeUndefined();
  });

  it('tells a JSON null from a text that is not JSON', () => {
    expect(parseJsonText(' null ')).toBeNull();
  });

  it('reads nesting of any depth without using the call stack', () => {
    const depth = 50_000;
    const text = `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`;
    expect(rendered(text)).toBe(text);
    expect(parseJsonText('['.repeat(depth))).toBeUndefined();
  });
});

describe('renderJson', () => {
  it('gives back what it was given when that is canonical already', () => {
    fc.assert(
      fc.property(spelledJson, (text) => {
        const once = rendered(text) as string;
        expect(rendered(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('means the same to JSON.parse as the text it was read from', () => {
    fc.assert(
      fc.property(spelledJson, (text) => {
        const wellFormed = text.replaceAll('\\ud800', '\\ufffd');
        expect(JSON.parse(rendered(wellFormed) as string)).toEqual(JSON.parse(wellFormed));
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps keys in source order, index-like ones and __proto__ included', () => {
    expect(rendered('{"b":1, "10":2, "9":3, "__proto__":{"x":1}, "constructor":4}')).toBe(
      '{"b":1,"10":2,"9":3,"__proto__":{"x":1},"constructor":4}',
    );
  });

  it('puts the last value of duplicate keys at the place of the first', () => {
    expect(rendered('{"a":{"p":1},"b":0,"a":{"q":2}}')).toBe('{"a":{"q":2},"b":0}');
    expect(rendered(String.raw`{"a":1,"b":2,"\u0061":3}`)).toBe('{"a":3,"b":2}');
  });

  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-0', '-0'],
    ['-0.0', '-0'],
    ['2.50', '2.5'],
    ['1.0', '1'],
    ['1e21', '1e+21'],
    ['1e2', '100'],
    ['1.5E-7', '1.5e-7'],
    ['1e999', '1e999'],
    ['-1E400', '-1E400'],
    ['1e-400', '0'],
    ['123456789012345678.0', '123456789012345680'],
  ])('renders the number %s as %s', (text, expected) => {
    expect(rendered(text)).toBe(expected);
  });

  it('escapes quotes, backslashes and control characters and nothing else', () => {
    expect(rendered(String.raw`"\"\\\/\b\f\n\r\t\u0001\u001F\u007f<>&` + '\u2028\u2029"')).toBe(
      String.raw`"\"\\/\b\f\n\r\t\u0001\u001f` + '\u007f<>&\u2028\u2029"',
    );
  });

  it('turns a lone surrogate into U+FFFD, however it is spelled, and leaves pairs alone', () => {
    expect(rendered(String.raw`"\ud83d\ude80 \ud83d x"`)).toBe('"🚀 \ufffd x"');
    expect(rendered('"\udc00"')).toBe('"\ufffd"');
    expect(rendered(String.raw`{"\ud800":1,"\ud801":2}`)).toBe('{"\ufffd":2}');
  });
});

describe('renderValue', () => {
  it('gives a string as it is, null as null and the rest as compact JSON', () => {
    expect(renderValue(parseJsonText(String.raw`"a\nb"`) as string)).toBe('a\nb');
    expect(renderValue(null)).toBe('null');
    expect(renderValue(parseJsonText('[ "a" , {"b" : true} ]') ?? null)).toBe('["a",{"b":true}]');
  });
});
