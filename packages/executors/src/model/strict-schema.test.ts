import type { JsonObject } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { isStrictSchema } from './strict-schema.ts';

const closed = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

describe('isStrictSchema', () => {
  it('holds when every object is closed and requires all it has', () => {
    expect(
      isStrictSchema(
        closed({
          a: { type: 'string' },
          rows: { type: 'array', items: closed({ id: { type: 'integer' } }) },
        }),
      ),
    ).toBe(true);
  });

  it('fails at any depth', () => {
    const open: JsonObject = { type: 'object', properties: { a: {} } };
    expect(isStrictSchema(open)).toBe(false);
    expect(isStrictSchema(closed({ inner: open }))).toBe(false);
    expect(isStrictSchema(closed({ rows: { type: 'array', items: open } }))).toBe(false);
    expect(isStrictSchema({ ...closed({}), $defs: { open } })).toBe(false);
    expect(isStrictSchema({ ...closed({ a: {}, b: {} }), required: ['a'] })).toBe(false);
    expect(isStrictSchema({ type: 'string' })).toBe(false);
  });
});
