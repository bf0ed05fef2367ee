import type { StandardSchemaV1 } from '@standard-schema/spec';
import { ProgramError } from '../program-error.ts';
import type { AnswerSchema, JsonSchema } from './context.ts';

const TARGET = 'draft-2020-12';

export function isOfLibrary(schema: AnswerSchema | JsonSchema | null | undefined): schema is AnswerSchema {
  const canHold = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  return canHold && '~standard' in schema;
}

/**
 * The JSON Schema of what has to be answered so that the schema takes it.
 * @throws ProgramError SCHEMA_UNUSABLE when the library, or JSON Schema, has no words for it
 */
export function jsonSchemaOf(schema: AnswerSchema): Record<string, unknown> {
  const { vendor, jsonSchema } = schema['~standard'] as Partial<AnswerSchema['~standard']>;
  if (jsonSchema === undefined) {
    throw unusable(
      vendor,
      'has no "~standard".jsonSchema; use Zod 4, ArkType, or Valibot by its toStandardJsonSchema, in a version that has it; or write JSON Schema',
    );
  }
  try {
    return jsonSchema.input({ target: TARGET });
  } catch (error) {
    throw unusable(
      vendor,
      `cannot be written as JSON Schema: ${String(error)}; use types that JSON has`,
      error,
    );
  }
}

/**
 * A recorded answer as the schema gives it.
 * @throws ProgramError ANSWER_INVALID, SCHEMA_UNUSABLE when it validates asynchronously
 */
export function throughSchema(schema: AnswerSchema, id: string, answer: unknown): unknown {
  const { vendor, validate } = schema['~standard'];
  const checked = validate(answer);
  if (checked instanceof Promise)
    throw unusable(vendor, 'validates asynchronously; take what waits out of it');
  if (checked.issues === undefined) return checked.value;
  const issues = checked.issues.map(inWords).join('; ');
  throw new ProgramError(
    'ANSWER_INVALID',
    `the answer to "${id}" is not what its schema wants: ${issues}; catch this to ask again under another id`,
  );
}

function inWords({ message, path = [] }: StandardSchemaV1.Issue): string {
  const keys = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}

function unusable(vendor: string | undefined, why: string, cause?: unknown): ProgramError {
  return new ProgramError('SCHEMA_UNUSABLE', `a schema of ${vendor ?? 'an unknown library'} ${why}`, {
    cause,
  });
}
