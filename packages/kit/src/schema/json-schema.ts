import { toJsonSchema, type JsonSchema as ValibotJsonSchema } from '@valibot/to-json-schema';
import type { StandardJSONSchemaV1 } from '@standard-schema/spec';
import type { AnySchema } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

const TARGET = 'draft-2020-12';
const MAX_REASON_CHARS = 200;

/**
 * The JSON Schema (draft 2020-12) of what has to be written so that the schema takes it: the input side, so defaults are
 * optional and a transformation shows what goes into it.
 * @throws KitError SKILL_DEFINITION_INVALID when there is none; an agent without a contract could only guess
 */
export function jsonSchemaOf(schema: AnySchema): Record<string, unknown> {
  const { vendor } = schema['~standard'];
  try {
    if (isArkType(schema)) return schema.toJsonSchema({ fallback: ARKTYPE_FALLBACK });
    if (hasConverter(schema)) return schema['~standard'].jsonSchema.input({ target: TARGET });
    if (vendor === 'valibot') return ofValibot(schema);
  } catch (error) {
    throw new KitError(
      'SKILL_DEFINITION_INVALID',
      `a schema of ${vendor} cannot be written as JSON Schema: ${oneLine(error)}; ` +
        'describe it with types that JSON has and transform them in the schema',
      { cause: error },
    );
  }
  throw new KitError(
    'SKILL_DEFINITION_INVALID',
    `a schema of ${vendor} cannot be written as JSON Schema: it has no "~standard".jsonSchema; ` +
      'use ArkType, Zod 4 or Valibot, or a version of the validator that speaks Standard JSON Schema',
  );
}

interface ArkTypeSchema {
  toJsonSchema(options: { readonly fallback: typeof ARKTYPE_FALLBACK }): Record<string, unknown>;
}

/**
 * What JSON Schema cannot say is left out where the rest still tells what to write. A Date, a function or a bigint has no
 * form in JSON at all: ArkType refuses those, as it does by default.
 */
const ARKTYPE_FALLBACK = {
  morph: widen,
  predicate: widen,
  patternIntersection: widen,
  defaultValue: widen,
  unit: widen,
};

function widen({ base }: { readonly base: Record<string, unknown> }): Record<string, unknown> {
  return base;
}

// By its method, not by `instanceof`: an author may use another copy of the library than ours.
function isArkType(schema: AnySchema): schema is AnySchema & ArkTypeSchema {
  return (
    schema['~standard'].vendor === 'arktype' &&
    typeof (schema as Partial<ArkTypeSchema>).toJsonSchema === 'function'
  );
}

function hasConverter(schema: AnySchema): schema is AnySchema & StandardJSONSchemaV1 {
  return 'jsonSchema' in schema['~standard'];
}

function ofValibot(schema: AnySchema): Record<string, unknown> {
  const { $schema, ...rest } = toJsonSchema(schema as unknown as Parameters<typeof toJsonSchema>[0], {
    target: TARGET,
    typeMode: 'input',
  }) as ValibotJsonSchema & Record<string, unknown>;
  return { $schema, ...rest };
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_CHARS);
}
