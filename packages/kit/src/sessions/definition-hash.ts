import { createHash } from 'node:crypto';
import type { AnySchema, SkillDefinition } from '../definition/skill-definition.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';

/**
 * Tells a definition from another: a history must not be replayed against steps that it was not made with. Functions count by
 * their source, schemas by what they ask for. What does not lead the workflow, such as front matter and observers, does not count.
 * @returns 64 hex digits
 */
export function definitionHash(definition: SkillDefinition): string {
  return createHash('sha256')
    .update(JSON.stringify(workflowOf(definition), describe))
    .digest('hex');
}

function workflowOf(definition: SkillDefinition): unknown {
  const { name, version, entry, system, params, steps, stores, finalOutput, subskills, topics } = definition;
  return {
    name,
    version,
    entry,
    system,
    params,
    steps,
    stores,
    finalOutput,
    subskills: Object.entries(subskills ?? {}).map(([subskill, use]) => [
      subskill,
      workflowOf(use.definition),
      use.params,
    ]),
    topics: Object.keys(topics ?? {}),
  };
}

function describe(_key: string, value: unknown): unknown {
  if (isSchema(value)) return describeSchema(value);
  return typeof value === 'function' ? String(value) : value;
}

function isSchema(value: unknown): value is AnySchema {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value
  );
}

function describeSchema(schema: AnySchema): unknown {
  try {
    return jsonSchemaOf(schema);
  } catch {
    // A schema of params or of an action may have no form in JSON Schema; then its vendor is all there is to compare.
    return schema['~standard'].vendor;
  }
}
