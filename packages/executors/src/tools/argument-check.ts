import type { Json, JsonObject } from '@skillyard/contracts';
import { keysOf } from '../json-schema/describe-problem.ts';
import {
  compileSchema,
  problemsInWords,
  type SchemaCheck,
  type SchemaProblem,
} from '../json-schema/schema-check.ts';
import { setAt } from '../set-at.ts';

/** Arguments that fit the schema, or what is wrong with them. */
export type CheckedArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Checks the arguments of a call against the tool's schema, before anything is sent.
 *
 * With `readTexts` a text that stands where the schema wants a number, a boolean, a list or an object is read as
 * JSON: a template always gives text, so `count: "{{n}}"` could not be written otherwise. Nothing is read where the
 * schema takes a string, and a text that is not the JSON wanted stays what it is and is refused.
 *
 * A schema that cannot be compiled is the server's mistake; then the server checks by itself.
 */
export function checkArguments(schema: JsonObject, args: JsonObject, readTexts: boolean): CheckedArguments {
  let check: SchemaCheck;
  try {
    check = compileSchema(schema);
  } catch {
    return { ok: true, args };
  }
  const problems = check(args);
  if (problems.length === 0) return { ok: true, args };
  if (readTexts) {
    const read = structuredClone(args);
    const changed = problems.filter((problem) => readText(read, problem));
    if (changed.length > 0 && check(read).length === 0) {
      return { ok: true, args: read };
    }
  }
  return { ok: false, problem: problemsInWords(problems) };
}

/** Replaces the text a problem is about by the JSON it holds, if that is of a type that is wanted there. */
function readText(args: JsonObject, { raw }: SchemaProblem): boolean {
  if (raw.keyword !== 'type' || typeof raw.data !== 'string') return false;
  const wanted = [(raw.params as { type: string | string[] }).type].flat();
  let value: Json;
  try {
    value = JSON.parse(raw.data) as Json;
  } catch {
    return false;
  }
  if (!wanted.some((type) => isOfType(value, type))) return false;
  return setAt(args, keysOf(raw.instancePath), value);
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
