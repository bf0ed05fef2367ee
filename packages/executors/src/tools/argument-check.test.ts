import type { JsonObject } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { checkArguments } from './argument-check.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    flag: { type: 'boolean' },
    nested: { type: 'object', properties: { list: { type: 'array', items: { type: 'number' } } } },
    either: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
  },
};

describe('checkArguments', () => {
  it('reads texts as JSON where no text is wanted, however deep, and changes nothing of the job', () => {
    const args: JsonObject = {
      name: '5',
      count: '5',
      flag: 'false',
      nested: { list: '[1, 2.5]' },
      either: 'true',
    };
    const before = structuredClone(args);
    expect(checkArguments(schema, args, true)).toEqual({
      ok: true,
      args: { name: '5', count: 5, flag: false, nested: { list: [1, 2.5] }, either: true },
    });
    expect(args).toEqual(before);
  });

  it.each([
    [{ count: '5.5' }, /"count" must be an integer, not "5.5"/],
    [{ count: 'five' }, /"count" must be an integer/],
    [{ count: '' }, /"count" must be an integer/],
    [{ nested: '[1]' }, /"nested" must be an object/],
    [{ flag: '1' }, /"flag" must be a boolean/],
    [{ name: 5 }, /"name" must be a string, not 5/],
  ])('refuses %j', (args, problem) => {
    const checked = checkArguments(schema, args, true);
    expect(checked.ok ? '' : checked.problem).toMatch(problem);
  });

  it('reads nothing for a model, which can do better', () => {
    expect(checkArguments(schema, { count: '5' }, false).ok).toBe(false);
  });

  it('leaves the check to the server when the schema is broken', () => {
    expect(checkArguments({ type: 'thing' }, { any: 1 }, true)).toEqual({ ok: true, args: { any: 1 } });
  });
});
