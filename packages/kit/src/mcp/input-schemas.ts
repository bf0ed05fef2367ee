import type { SkillDefinition } from '../definition/skill-definition.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';

type JsonSchema = Record<string, unknown>;

const $schema = 'http://json-schema.org/draft-07/schema#';

const ANY_OBJECT: JsonSchema = {
  type: 'object',
  propertyNames: { type: 'string' },
  additionalProperties: {},
};

/** What `topic` takes. */
export const TOPIC_SCHEMA: JsonSchema = {
  $schema,
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};

/** What `start` takes. */
export function startSchema({ subskills }: SkillDefinition): JsonSchema {
  const names = Object.keys(subskills ?? {});
  return {
    $schema,
    type: 'object',
    properties: {
      params: ANY_OBJECT,
      ...(names.length === 0 ? {} : { subskill: { type: 'string', enum: names } }),
    },
  };
}

/** What `advance` takes. */
export function advanceSchema(definition: SkillDefinition): JsonSchema {
  return {
    $schema,
    type: 'object',
    properties: {
      session: { type: 'string' },
      step: { type: 'string' },
      output: answersAreObjects(definition) ? ANY_OBJECT : {},
    },
    required: ['session', 'step', 'output'],
  };
}

/** Most answers are objects, and a client that knows it does not send them as text. */
function answersAreObjects({ steps, subskills }: SkillDefinition): boolean {
  return (
    Object.values(steps).every(
      ({ response }) => response === undefined || jsonSchemaOf(response)['type'] === 'object',
    ) && Object.values(subskills ?? {}).every((subskill) => answersAreObjects(subskill.definition))
  );
}
