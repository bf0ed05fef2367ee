import { describe, expect, it } from 'vitest';
import { compileSchema } from './schema-check.ts';

const problems = (schema: Parameters<typeof compileSchema>[0], value: unknown): string[] =>
  compileSchema(schema)(value).map((problem) => problem.text);

describe('compileSchema', () => {
  it('says where, what is wanted and what is there', () => {
    const schema = {
      type: 'object',
      properties: {
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: ['integer', 'null'] } },
            additionalProperties: false,
          },
        },
        grain: { const: 'rye' },
        count: { type: 'integer', minimum: 1 },
      },
      required: ['grain'],
    };
    expect(problems(schema, { rows: [{ id: 1 }, { id: 'x', di: 2 }], count: 0 })).toEqual([
      '"grain" is missing',
      '"di" is not known in rows[1] (did you mean id?)',
      '"rows[1].id" must be an integer or a null, not "x"',
      '"count" must be >= 1, and it is 0',
    ]);
    expect(problems(schema, { grain: 'oat' })).toEqual(['"grain" must be "rye", not "oat"']);
    expect(problems(schema, [])).toEqual(['the whole value must be an object, not []']);
  });

  it('shows the detail of alternatives and not their summary', () => {
    expect(problems({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, true)).toEqual([
      'the whole value must be a string, not true',
      'the whole value must be an integer, not true',
    ]);
  });

  it('knows draft 7 and 2020-12, unknown keywords, formats, and two schemas of one $id', () => {
    const tuple07 = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
      'x-mine': 1,
    };
    expect(problems(tuple07, [1])).toHaveLength(1);
    const tuple2020 = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      prefixItems: [{ type: 'string' }],
    };
    expect(problems(tuple2020, [1])).toHaveLength(1);
    expect(problems({ type: 'string', format: 'email' }, 'nobody')).toEqual([
      'the whole value must match format "email", and it is "nobody"',
    ]);
    expect(problems({ $id: 'https://example.org/same', type: 'string' }, 1)).toHaveLength(1);
    expect(problems({ $id: 'https://example.org/same', type: 'integer' }, 'a')).toHaveLength(1);
  });

  it('throws when the schema itself is broken', () => {
    expect(() => compileSchema({ type: 'thing' })).toThrow(/type/);
  });
});
