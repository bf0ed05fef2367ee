import type { Primitive } from '../definition/prompt-piece.ts';
import type { AnySchema, Option, SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';
import type { KitDiagnostic } from './kit-diagnostic.ts';
import { staticPieces } from './prompt-source.ts';

/** Options of a question that the answer's schema refuses, and values of the schema that nobody can choose. */
export function lintChoices({ steps }: SkillDefinition): KitDiagnostic[] {
  return Object.entries(steps).flatMap(([step, { prompt, response }]) => {
    const questions = staticPieces(prompt).flatMap((piece) =>
      typeof piece !== 'string' && piece.kind === 'act' ? questionsOf(piece.primitive) : [],
    );
    if (questions.length === 0 || response === undefined) return [];
    const places = placesOf(response);
    return questions.flatMap((options) => compare(step, options, places));
  });
}

function questionsOf(primitive: Primitive): Array<readonly string[]> {
  const valuesOf = (options: readonly Option[]): string[] => options.map(({ value }) => value);
  if (primitive.kind === 'survey') return primitive.questions.map(({ options }) => valuesOf(options));
  if (primitive.kind === 'askUser' && primitive.type === 'structured') return [valuesOf(primitive.options)];
  return [];
}

interface Places {
  /** The values of each property that takes only some. */
  readonly enums: ReadonlyArray<readonly string[]>;
  /** Whether any text fits somewhere: the answer may be meant to go there. */
  readonly takesText: boolean;
}

function placesOf(response: AnySchema): Places {
  let properties: unknown;
  try {
    ({ properties } = jsonSchemaOf(response));
  } catch (error) {
    // Whoever starts the skill is told; here there is nothing to compare with.
    if (!KitError.is(error)) throw error;
  }
  const schemas = Object.values(isRecord(properties) ? properties : {}).map(itemOf);
  const enums = schemas.map(valuesIn).filter((values) => values.length > 0);
  const takesText = schemas.some(
    (schema) => isRecord(schema) && schema.type === 'string' && valuesIn(schema).length === 0,
  );
  return { enums, takesText };
}

/** Of a list: the schema of its items, for questions that take several answers. */
function itemOf(schema: unknown): unknown {
  return isRecord(schema) && isRecord(schema.items) ? schema.items : schema;
}

function valuesIn(schema: unknown): string[] {
  if (!isRecord(schema)) return [];
  const { enum: values, anyOf, const: only } = schema;
  if (Array.isArray(values)) return values.filter((value) => typeof value === 'string');
  if (typeof only === 'string') return [only];
  return Array.isArray(anyOf) ? anyOf.flatMap(valuesIn) : [];
}

/** Compares with the property that has most of the options: that of another question has none of them. */
function compare(step: string, options: readonly string[], { enums, takesText }: Places): KitDiagnostic[] {
  const shared = (values: readonly string[]): number =>
    values.filter((value) => options.includes(value)).length;
  const [best] = enums.toSorted((a, b) => shared(b) - shared(a));
  if (best === undefined || (shared(best) === 0 && (takesText || enums.length > 1))) return [];
  const refused = options.filter((value) => !best.includes(value));
  const unasked = best.filter((value) => !options.includes(value));
  const found: KitDiagnostic[] = [];
  if (refused.length > 0) {
    found.push({
      rule: 'primitive-schema-mismatch',
      severity: 'error',
      step,
      message: `step "${step}" offers [${refused.join(', ')}], which its response schema refuses`,
    });
  }
  if (unasked.length > 0) {
    found.push({
      rule: 'primitive-schema-mismatch',
      severity: 'warning',
      step,
      message: `the response schema of step "${step}" takes [${unasked.join(', ')}], which no option offers`,
    });
  }
  return found;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
