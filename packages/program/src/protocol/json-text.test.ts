import { describe, expect, it } from 'vitest';
import { compactJson, elementsOf, MAX_DEPTH, membersOf } from './json-text.ts';

describe('a text of JSON', () => {
  it('keeps its numbers, escapes and duplicates', () => {
    const text = '{ "b" : 1.0,\n "a":[ 9007199254740993 , "\\u003c \\/" ], "b": 1e21 }';
    expect(compactJson(text)).toBe('{"b":1.0,"a":[9007199254740993,"\\u003c \\/"],"b":1e21}');
    expect(membersOf(text)).toEqual([
      ['b', '1.0'],
      ['a', '[ 9007199254740993 , "\\u003c \\/" ]'],
      ['b', '1e21'],
    ]);
  });

  it.each([
    ['', 'the text ends too early at character 0'],
    ['{"a":1', 'the text ends too early at character 6'],
    ['"open', 'the text ends too early at character 5'],
    ['debug {}', 'unexpected "d" at character 0'],
    ['{} {}', 'unexpected "{" at character 3'],
    ['[1,]', 'unexpected "]" at character 3'],
    ['{"a" 1}', 'unexpected "1" at character 5'],
    ['"\\x"', 'an escape that JSON has not at character 1'],
    ['"a\nb"', 'unexpected "\\n" at character 2'],
    ['\ufeff{}', 'unexpected "\ufeff" at character 0'],
  ])('is refused with the place: %j', (text, message) => {
    expect(() => compactJson(text)).toThrow(new SyntaxError(message));
  });

  it('may be deep, and too deep', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(compactJson(deep(MAX_DEPTH))).toBe(deep(MAX_DEPTH));
    expect(() => compactJson(deep(MAX_DEPTH + 1))).toThrow('more than 200 levels deep at character 201');
    expect(() => compactJson('{"a":'.repeat(100_000))).toThrow('more than 200 levels deep');
  });

  it('may be long', () => {
    const long = `["${'\\n'.repeat(1_000_000)}",${'7'.repeat(1_000_000)}]`;
    expect(compactJson(long)).toBe(long);
    expect(elementsOf(long).map((text) => text.length)).toEqual([2_000_002, 1_000_000]);
  });

  it('is cut only when it is what it is cut as', () => {
    expect(() => membersOf('[1]')).toThrow('unexpected "[" at character 0');
    expect(() => elementsOf('{}')).toThrow('unexpected "{" at character 0');
    expect(() => elementsOf('[1] 2')).toThrow('unexpected "2" at character 4');
  });
});
