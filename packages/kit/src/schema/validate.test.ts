import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AnySchema } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { issuesOfPartial, validate } from './validate.ts';

const VENDORS: Record<string, AnySchema> = {
  arktype: type({ name: 'string', 'tags?': 'string[]', size: 'number = 3' }),
  zod: z.object({ name: z.string(), tags: z.array(z.string()).optional(), size: z.number().default(3) }),
  valibot: v.object({
    name: v.string(),
    tags: v.optional(v.array(v.string())),
    size: v.optional(v.number(), 3),
  }),
};

describe.each(Object.entries(VENDORS))('a schema of %s', (_vendor, schema) => {
  it('gives the value with its defaults', () => {
    expect(validate(schema, { name: 'a' })).toEqual({ ok: true, value: { name: 'a', size: 3 } });
  });

  it('says where something is wrong', () => {
    const result = validate(schema, { name: 'a', tags: ['x', 2], size: 1 });
    if (result.ok) throw new Error('it was accepted');
    expect(result.issues.map(({ path }) => path.map(String))).toEqual([['tags', '1']]);
    expect(result.message).toMatch(/^tags\.1: /u);
  });

  it('lets a part of a value miss the rest, and still refuses what is wrong in it', () => {
    expect(issuesOfPartial(schema, { tags: ['x'] })).toEqual([]);
    expect(issuesOfPartial(schema, { size: 'big' })).toHaveLength(1);
  });
});

describe('validate', () => {
  it('leaves the path out of what is wrong with the whole value', () => {
    const result = validate(type({ a: 'string' }), 'text');
    expect(result).toMatchObject({ ok: false, message: 'must be an object (was a string)' });
  });

  it('joins several issues by semicolons', () => {
    const result = validate(type({ a: 'string', b: 'number' }), { a: 1, b: 'x' });
    expect(result).toMatchObject({
      message: 'a: a must be a string (was a number); b: b must be a number (was a string)',
    });
  });

  it('applies transformations', () => {
    expect(validate(type('string.numeric.parse'), '12')).toEqual({ ok: true, value: 12 });
  });

  it('refuses a schema that is checked asynchronously', () => {
    const schema = z.string().refine(async () => Promise.resolve(true));
    expect(() => validate(schema, 'x')).toThrow(KitError);
    expect(() => validate(schema, 'x')).toThrow(/zod is checked asynchronously/u);
  });

  it('takes no notice of what an asynchronous check says later', () => {
    const schema: AnySchema = {
      '~standard': { version: 1, vendor: 'by-hand', validate: () => Promise.reject(new Error('too late')) },
    };
    expect(() => validate(schema, 'x')).toThrow(/by-hand is checked asynchronously/u);
  });

  it('takes paths whose parts are objects', () => {
    const schema: AnySchema = {
      '~standard': {
        version: 1,
        vendor: 'by-hand',
        validate: () => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 0] }] }),
      },
    };
    expect(validate(schema, {})).toMatchObject({
      issues: [{ path: ['a', 0], message: 'no' }],
      message: 'a.0: no',
    });
  });
});

describe('issuesOfPartial', () => {
  const store = type({ place: { host: 'string', port: 'number' }, tags: 'string[]' });

  it('forgives what is absent at any depth', () => {
    expect(issuesOfPartial(store, { place: { port: 1 } })).toEqual([]);
    expect(issuesOfPartial(store, {})).toEqual([]);
  });

  it('tells of a wrong value at any depth', () => {
    expect(issuesOfPartial(store, { place: { port: 'x' } }).map(({ path }) => path.map(String))).toEqual([
      ['place', 'port'],
    ]);
    expect(issuesOfPartial(store, { place: 'x' })).toHaveLength(1);
  });
});
