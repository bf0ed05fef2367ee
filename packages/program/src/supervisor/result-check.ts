import { Ajv, type AnySchema, type ErrorObject } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { exactKeywords } from './exact-keywords.ts';
import { ExactValues } from './exact-values.ts';

const MOST_PROBLEMS = 10;

/**
 * Checks a result against the schema of its operation: JSON Schema 2020-12, or 2019-09 or draft-07 by its `$schema`. Numbers are compared
 * exactly, however large; `format` is asserted by draft-07 only.
 * @param schemaText the compact text of the schema; `null` asks for nothing
 * @param resultText the compact text of the result
 * @returns the problem in words, also that of a schema that is none; null: it fits
 */
export function checkResult(schemaText: string, resultText: string): string | null {
  if (schemaText === 'null') return null;
  const schema = new ExactValues(schemaText);
  const result = new ExactValues(resultText);
  try {
    const ajv = validatorFor(schema.root);
    for (const definition of exactKeywords(schema, result)) {
      ajv.removeKeyword(String(definition.keyword));
      ajv.addKeyword(definition);
    }
    const validate = ajv.compile(schema.root as AnySchema);
    if (validate(result.root)) return null;
    return `schema-invalid result: ${inWords(validate.errors ?? [])}`;
  } catch (error) {
    // Whatever a schema does to the compiler, it is the schema that is wrong.
    return `output schema does not compile: ${error instanceof Error ? error.message : String(error)}`;
  }
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
