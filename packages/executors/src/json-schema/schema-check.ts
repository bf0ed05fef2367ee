import type { JsonObject } from '@skillyard/contracts';
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as ajvFormats from 'ajv-formats';
import { describeProblem } from './describe-problem.ts';

/** What does not fit, in words. `raw` is ajv's own account of it. */
export interface SchemaProblem {
  readonly text: string;
  readonly raw: ErrorObject;
}

/** Checks a value; an empty list means that it fits. */
export type SchemaCheck = (value: unknown) => readonly SchemaProblem[];

const OPTIONS: Options = {
  allErrors: true,
  verbose: true,
  // Schemas come from strangers: keywords that ajv does not know are no reason to refuse them.
  strict: false,
  logger: false,
  // Two tools may use the same $id.
  addUsedSchema: false,
};
const MOST_SHOWN = 4;
const MOST_CACHED = 500;
/** They only sum up what their branches say in detail. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'if', 'allOf']);

// The package is CommonJS with a default export, which arrives under one more name.
const addFormats = ajvFormats.default as unknown as (ajv: Ajv | Ajv2020) => void;
let draft07: Ajv | undefined;
let draft2020: Ajv2020 | undefined;
const cache = new Map<string, SchemaCheck>();

/**
 * Compiles a JSON Schema of draft 7 or 2020-12; without `$schema` it is 2020-12, as MCP has it.
 * @throws Error when the schema itself is broken
 */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const key = JSON.stringify(schema);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const validate = ajvFor(schema).compile(schema);
  const check: SchemaCheck = (value) => {
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    const detailed = errors.filter((error) => !SUMMARIES.has(error.keyword));
    const shown = detailed.length > 0 ? detailed : errors;
    return shown.map((raw) => ({ text: describeProblem(raw), raw }));
  };
  const oldest = cache.keys().next();
  if (cache.size >= MOST_CACHED && oldest.done !== true) cache.delete(oldest.value);
  cache.set(key, check);
  return check;
}

/** Problems in one line, not all of them when there are many. */
export function problemsInWords(problems: readonly SchemaProblem[]): string {
  const shown = problems.slice(0, MOST_SHOWN).map((problem) => problem.text);
  const more = problems.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

function ajvFor(schema: JsonObject): Ajv | Ajv2020 {
  const dialect = schema['$schema'];
  if (typeof dialect === 'string' && /draft-0[4-7]/.test(dialect)) {
    if (draft07 === undefined) addFormats((draft07 = new Ajv(OPTIONS)));
    return draft07;
  }
  if (draft2020 === undefined) addFormats((draft2020 = new Ajv2020(OPTIONS)));
  return draft2020;
}
