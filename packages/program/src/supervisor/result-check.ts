import { runInNewContext } from 'node:vm';
import { CommandResult } from '@skillyard/contracts';
import { Ajv, type AnySchema, type ErrorObject } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { exactKeywords } from './exact-keywords.ts';
import { ExactValues } from './exact-values.ts';

/** The schema of what a command comes to: it has none of its own. */
export const COMMAND_RESULT_SCHEMA = JSON.stringify(CommandResult);

const MOST_PROBLEMS = 10;
/** A worker that says nothing for longer is taken for dead, and so is the next one that is given its work. */
const LONGEST_CHECK_MS = 4_000;

/**
 * Checks a result against the schema of its operation: JSON Schema 2020-12, or 2019-09 or draft-07 by its `$schema`. Numbers are compared
 * exactly, however large; `format` is asserted by draft-07 only.
 * @param schemaText the compact text of the schema; `null` asks for nothing
 * @param resultText the compact text of the result
 * @param limitMs how long the check may take
 * @returns the problem in words, also that of a schema that is none; null: it fits
 */
export function checkResult(
  schemaText: string,
  resultText: string,
  limitMs = LONGEST_CHECK_MS,
): string | null {
  if (schemaText === 'null') return null;
  try {
    return inTime(() => problemOf(schemaText, resultText), limitMs);
  } catch (error) {
    if (isOutOfTime(error))
      return `to check the result took longer than ${limitMs} ms: give the schema a simpler \`pattern\`, or have a smaller result`;
    // Whatever a schema does to the compiler, it is the schema that is wrong.
    return `output schema does not compile: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Who wrote the schema and who gave the result may both not know how long a `pattern` can take: nothing else ends it. */
function inTime<T>(work: () => T, limitMs: number): T {
  return runInNewContext('work()', { work }, { timeout: limitMs }) as T;
}

/** It comes from the context that was left, and is no Error of this one. */
function isOutOfTime(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function problemOf(schemaText: string, resultText: string): string | null {
  const schema = new ExactValues(schemaText);
  const result = new ExactValues(resultText);
  const ajv = validatorFor(schema.root);
  for (const definition of exactKeywords(schema, result)) {
    ajv.removeKeyword(String(definition.keyword));
    ajv.addKeyword(definition);
  }
  const validate = ajv.compile(schema.root as AnySchema);
  if (validate(result.root)) return null;
  return `schema-invalid result: ${inWords(validate.errors ?? [])}`;
}

function validatorFor(schema: unknown): Ajv {
  const options = { strict: false, allErrors: true, logger: false, validateFormats: false } as const;
  switch (draftOf(schema)) {
    case 'http://json-schema.org/draft-07/schema':
      return formats.default(new Ajv({ ...options, validateFormats: true }));
    case 'https://json-schema.org/draft/2019-09/schema':
      return new Ajv2019(options);
    default:
      return new Ajv2020(options);
  }
}

function draftOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('$schema' in schema)) return undefined;
  return typeof schema.$schema === 'string' ? schema.$schema.replace(/#$/, '') : schema.$schema;
}

function inWords(errors: readonly ErrorObject[]): string {
  const shown = errors
    .slice(0, MOST_PROBLEMS)
    .map(({ instancePath, message, params }) => `at '${instancePath}': ${message}${extraIn(params)}`);
  return [
    ...shown,
    ...(errors.length > MOST_PROBLEMS ? [`and ${errors.length - MOST_PROBLEMS} more`] : []),
  ].join('; ');
}

function extraIn(params: Readonly<Record<string, unknown>>): string {
  const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
  return name === undefined ? '' : `: ${JSON.stringify(name)}`;
}
