import { describe, expect, it } from 'vitest';
import { readCollection } from './collection.ts';

describe('readCollection', () => {
  it('reads a JSON array: strings raw, the rest rendered again', () => {
    const value = ' [ "a b", "", null, 2.50, 12345678901234567890, {"z": 1, "10": [true]} ]\n';
    expect(readCollection('rows', value)).toEqual({
      items: ['a b', '', 'null', '2.5', '12345678901234567890', '{"z":1,"10":[true]}'],
      picked: false,
    });
  });

  it('walks the one list among the fields of an object, and says so', () => {
    expect(readCollection('rows', '{"n": 2, "list": ["a", "b"]}')).toEqual({
      items: ['a', 'b'],
      picked: true,
    });
    expect(readCollection('rows', '{"list": []}')).toEqual({ items: [], picked: true });
  });

  it('fails with LOOP_INPUT_INVALID for an object without a list and names its fields', () => {
    expect(() => readCollection('rows', '{"n": 2, "m": {}}')).toThrow(
      'rows: it is an object without a list among its fields (n, m)',
    );
    expect(() => readCollection('rows', '{}')).toThrow('it has none');
  });

  it('fails with LOOP_INPUT_INVALID for an object with several lists and says how to name one', () => {
    expect(() => readCollection('rows', '{"a": [], "n": 1, "b": []}')).toThrow(
      'several lists (a, b); name one, as in rows.a',
    );
  });

  it('reads anything else as lines, trimmed, blank ones dropped', () => {
    expect(readCollection('rows', ' a \r\n\n\u00a0\n b\u3000').items).toEqual(['a', 'b']);
    expect(readCollection('rows', '[a, b]').items).toEqual(['[a, b]']);
    expect(readCollection('rows', '{"a":1}\n{"a":2}').items).toEqual(['{"a":1}', '{"a":2}']);
    expect(readCollection('rows', '"[1]"').items).toEqual(['"[1]"']);
    expect(readCollection('rows', ' \n ').items).toEqual([]);
  });
});
