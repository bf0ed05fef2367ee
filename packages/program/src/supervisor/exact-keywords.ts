import type { AnySchemaObject, FuncKeywordDefinition } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import { compareExact, exactNumber, isMultipleOf } from './exact-number.ts';
import { canonicalText, type ExactValues } from './exact-values.ts';

/** Where a value lies, as ajv says it. */
interface Place {
  readonly parentData: unknown;
  readonly parentDataProperty: string | number;
}

/** Whether a value fits, seen with what the keyword asks for. */
type Fits = (value: unknown, place: Place) => boolean;

const BOUNDS = {
  minimum: { fits: (order: number) => order >= 0, words: '>=' },
  maximum: { fits: (order: number) => order <= 0, words: '<=' },
  exclusiveMinimum: { fits: (order: number) => order > 0, words: '>' },
  exclusiveMaximum: { fits: (order: number) => order < 0, words: '<' },
} as const;

/**
 * The keywords of JSON Schema that look at the amount of a number, for an ajv that has them no more: its own ones see what JavaScript
 * makes of it, which is another number beyond 2^53.
 * @param schemas the schema, whose very objects are compiled
 * @param results the result, whose very values are checked
 */
export function exactKeywords(schemas: ExactValues, results: ExactValues): FuncKeywordDefinition[] {
  const isText = (value: unknown, { parentData, parentDataProperty }: Place) =>
    results.textOf(value, parentData, parentDataProperty);
  const bounds = Object.entries(BOUNDS).map(([keyword, { fits, words }]) =>
    keywordOf(keyword, { type: 'number', schemaType: 'number' }, (limit: number, parent) => {
      const text = schemas.textOf(limit, parent, keyword);
      const exact = exactNumber(text);
      return {
        message: `must be ${words} ${text}`,
        fits: (value, place) => fits(compareExact(exactNumber(isText(value, place)), exact)),
      };
    }),
  );
  return [
    ...bounds,
    keywordOf('multipleOf', { type: 'number', schemaType: 'number' }, (divisor: number, parent) => {
      const text = schemas.textOf(divisor, parent, 'multipleOf');
      const exact = exactNumber(text);
      return {
        message: `must be a multiple of ${text}`,
        fits: (value, place) => isMultipleOf(exactNumber(isText(value, place)), exact),
      };
    }),
    keywordOf('const', {}, (value: unknown, parent) => {
      const text = schemas.textOf(value, parent, 'const');
      const wanted = canonicalText(text);
      return {
        message: `must be ${text}`,
        fits: (is, place) => canonicalText(isText(is, place)) === wanted,
      };
    }),
    keywordOf('enum', { schemaType: 'array' }, (values: unknown[]) => {
      const texts = values.map((value, index) => schemas.textOf(value, values, index));
      const wanted = new Set(texts.map(canonicalText));
      return {
        message: `must be one of ${texts.join(', ')}`,
        fits: (is, place) => wanted.has(canonicalText(isText(is, place))),
      };
    }),
    keywordOf('uniqueItems', { type: 'array', schemaType: 'boolean' }, (unique: boolean) => ({
      message: 'must not have an element twice',
      fits: (list) => {
        if (!unique || !Array.isArray(list)) return true;
        const texts = list.map((element, index) => canonicalText(results.textOf(element, list, index)));
        return new Set(texts).size === texts.length;
      },
    })),
  ];
}

function keywordOf<Asked>(
  keyword: string,
  types: Pick<FuncKeywordDefinition, 'type' | 'schemaType'>,
  read: (asked: Asked, parent: AnySchemaObject) => { readonly message: string; readonly fits: Fits },
): FuncKeywordDefinition {
  return {
    keyword,
    ...types,
    compile: (asked: Asked, parent) => {
      const { message, fits } = read(asked, parent);
      const check: DataValidateFunction = (value: unknown, place) => {
        // Without a place it is the root.
        if (fits(value, place ?? { parentData: undefined, parentDataProperty: '' })) return true;
        check.errors = [{ keyword, message, params: {} }];
        return false;
      };
      return check;
    },
  };
}
