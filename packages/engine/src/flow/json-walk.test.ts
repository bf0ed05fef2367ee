import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseJsonText, type JsonNode, renderValue } from './json-text.ts';
import { walkJson } from './json-walk.ts';

const miss = (text: string, path: (string | number)[]): string => {
  const walked = walkJson(text, path);
  if (walked === undefined || walked.found) throw new Error('expected a miss');
  return walked.miss;
};

describe('walkJson', () => {
  it('finds what building the whole value and stepping through it finds', () => {
    const keys = fc.constantFrom('a', 'b', 'c');
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(null, 1, 'x', true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    const path = fc.array(fc.oneof(keys, fc.nat(2)), { maxLength: 4 });
    const step = (node: JsonNode | undefined, key: string | number): JsonNode | undefined =>
      node instanceof Map
        ? node.get(key as string)
        : Array.isArray(node) && typeof key === 'number'
          ? node[key]
          : undefined;
    fc.assert(
      fc.property(json, path, fc.constantFrom(undefined, 2), (value, keysOf, space) => {
        const text = JSON.stringify(value, null, space);
        const node = keysOf.reduce<JsonNode | undefined>(step, parseJsonText(text));
        const walked = walkJson(text, keysOf);
        expect(walked?.found === true ? walked.text : undefined).toBe(
          node === undefined ? undefined : renderValue(node),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the last of duplicate keys, and nothing from the earlier ones', () => {
    expect(walkJson('{"a":{"x":1},"a":{"y":2}}', ['a', 'y'])).toEqual({ found: true, text: '2' });
    expect(walkJson('{"a":{"x":1},"a":{"y":2}}', ['a', 'x'])?.found).toBe(false);
  });

  it('recognises a key that is spelled with escapes', () => {
    expect(walkJson(String.raw`{"\u0061b":1}`, ['ab'])).toEqual({ found: true, text: '1' });
    expect(walkJson(String.raw`{"\u0061":1}`, ['u0061'])?.found).toBe(false);
  });

  it('believes nothing of a text that is not JSON to its end', () => {
    expect(walkJson('{"a":1} and more', ['a'])).toBeUndefined();
    expect(walkJson('{"a":1,"b":tru', ['a'])).toBeUndefined();
  });

  it('says what is there instead: the first twelve fields, the length of a list, a scalar', () => {
    expect(miss('{"z":1,"a":2}', ['b', 'c'])).toBe(
      'there is nothing at .b: the value is an object with the fields z, a',
    );
    expect(miss('{"rows":[1,2]}', ['rows', 7, 'k'])).toBe(
      'there is nothing at .rows[7]: .rows is a list of 2 items',
    );
    expect(miss('{"n":null}', ['n', 'x'])).toBe('there is nothing at .n.x: .n is null');
    expect(miss('{}', ['n'])).toContain('an object without fields');
    expect(miss(`"${'long '.repeat(500)}"`, ['x']).length).toBeLessThan(150);
  });

  it('reads a wide object a bounded number of times per character', () => {
    const reads = (width: number): number => {
      const members = Array.from({ length: width }, (_, index) => `"k${index + 10_000}":[${index + 10_000}]`);
      const text = `{${members.join(',')}}`;
      const spy = vi.spyOn(String.prototype, 'charCodeAt');
      walkJson(text, [`k${width + 9_999}`, 0]);
      const count = spy.mock.calls.length;
      spy.mockRestore();
      return count;
    };
    expect(reads(2_000)).toBeLessThan(reads(200) * 11);
  });
});
