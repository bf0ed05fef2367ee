import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AnySchema } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { jsonSchemaOf } from './json-schema.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

describe('jsonSchemaOf', () => {
  it.each<[string, AnySchema]>([
    ['arktype', type({ name: 'string', size: 'number = 3' })],
    ['zod', z.object({ name: z.string(), size: z.number().default(3) })],
    ['valibot', v.object({ name: v.string(), size: v.optional(v.number(), 3) })],
  ])(
    'writes what has to be given to a schema of %s: defaults are told and not required',
    (_vendor, schema) => {
      expect(jsonSchemaOf(schema)).toMatchObject({
        $schema: DRAFT,
        type: 'object',
        properties: { name: { type: 'string' }, size: { type: 'number', default: 3 } },
        required: ['name'],
      });
    },
  );

  it.each<[string, AnySchema]>([
    ['arktype', type({ at: 'string.date.parse' })],
    ['zod', z.object({ at: z.string().transform((text) => new Date(text)) })],
    [
      'valibot',
      v.object({
        at: v.pipe(
          v.string(),
          v.transform((text) => new Date(text)),
        ),
      }),
    ],
  ])('writes the input of a transformation of %s', (_vendor, schema) => {
    expect(jsonSchemaOf(schema)).toMatchObject({ properties: { at: { type: 'string' } }, required: ['at'] });
  });

  it('is exactly what ArkType writes where that can write all of it', () => {
    const schema = type({ a: "'x' | 'y'", 'b?': 'string[] == 3', c: 'number.integer > 0' });
    expect(JSON.stringify(jsonSchemaOf(schema))).toBe(JSON.stringify(schema.toJsonSchema()));
  });

  it('keeps the rest of an ArkType schema with a predicate', () => {
    const schema = type({ word: type('string').narrow((word) => word !== 'no') });
    expect(jsonSchemaOf(schema)).toMatchObject({ properties: { word: { type: 'string' } } });
  });

  it.each<[string, AnySchema]>([
    ['arktype', type({ at: 'Date' })],
    ['arktype', type({ big: 'bigint' })],
    ['zod', z.object({ at: z.date() })],
    ['valibot', v.object({ at: v.date() })],
  ])('refuses what JSON has no form for, in words that name %s', (vendor, schema) => {
    expect(() => jsonSchemaOf(schema)).toThrow(KitError);
    expect(() => jsonSchemaOf(schema)).toThrow(new RegExp(`a schema of ${vendor} cannot be written`, 'u'));
  });

  it('takes any validator that speaks Standard JSON Schema', () => {
    const standard = {
      version: 1,
      vendor: 'by-hand',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ type: 'string' }), output: () => ({ type: 'number' }) },
    } as const;
    expect(jsonSchemaOf({ '~standard': standard })).toEqual({ type: 'string' });
  });

  it('refuses a validator without one', () => {
    const schema: AnySchema = {
      '~standard': { version: 1, vendor: 'by-hand', validate: (value) => ({ value }) },
    };
    expect(() => jsonSchemaOf(schema)).toThrow(/by-hand cannot be written as JSON Schema: it has no/u);
  });
});
