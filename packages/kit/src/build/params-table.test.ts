import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { exampleParams, parametersOf, parameterTable } from './params-table.ts';

describe('the table of parameters', () => {
  it('tells type, need and default of each', () => {
    const parameters = parametersOf(
      type({
        leaf: 'string',
        grams: 'number = 3',
        style: "'gongfu' | 'western' = 'western'",
        'notes?': 'string[]',
      }),
    );
    expect(parameterTable(parameters)).toEqual([
      '| Name | Type | Required | Default |',
      '|------|------|----------|---------|',
      '| `leaf` | string | **Yes** | — |',
      '| `style` | `"gongfu"` \\| `"western"` | No | `"western"` |',
      '| `grams` | number | No | `3` |',
      '| `notes` | string[] | No | — |',
    ]);
    expect(exampleParams(parameters)).toBe('{"leaf":"<leaf>","style":"western","grams":3}');
  });

  it('gives an example of everything that must be given', () => {
    const params = v.object({
      count: v.pipe(v.number(), v.integer()),
      dry: v.boolean(),
      tags: v.array(v.string()),
      place: v.object({ x: v.number() }),
      kind: v.picklist(['a', 'b']),
      either: v.union([v.string(), v.number()]),
    });
    const parameters = parametersOf(params);
    expect(parameters.map(({ type: shown }) => shown)).toEqual([
      'integer',
      'boolean',
      'string[]',
      'object',
      '`"a"` | `"b"`',
      'string | number',
    ]);
    expect(exampleParams(parameters)).toBe(
      '{"count":0,"dry":false,"tags":[],"place":{},"kind":"a","either":"<either>"}',
    );
  });

  it('has no rows without parameters', () => {
    expect(parametersOf(undefined)).toEqual([]);
  });
});
