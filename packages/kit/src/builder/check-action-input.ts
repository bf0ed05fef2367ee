import type { AnySchema, StepConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';

/**
 * Refuses a step whose action is given the response and wants something that the response does not have.
 * @throws KitError SKILL_DEFINITION_INVALID that names the step, the action and what is missing
 */
export function checkActionInput(step: string, { action, response }: StepConfig): void {
  if (action === undefined || typeof action === 'function' || action.mapInput || response === undefined)
    return;
  const wanted = namesOf(action.run.input, 'required');
  const given = namesOf(response, 'properties');
  if (wanted === null || given === null) return;
  const missing = wanted.filter((name) => !given.includes(name));
  if (missing.length === 0) return;
  const names = missing.map((name) => `"${name}"`).join(', ');
  throw new KitError(
    'SKILL_DEFINITION_INVALID',
    `Step "${step}" uses action "${action.run.name}" without mapInput, and its response has no ${names}; ask for it in the response, or make the input with mapInput`,
  );
}

/** The names a schema speaks of; null for one that says nothing about them, or that has no JSON Schema. */
function namesOf(schema: AnySchema, what: 'required' | 'properties'): readonly string[] | null {
  const document = documentOf(schema);
  const found = document?.[what];
  if (Array.isArray(found)) return found.map(String);
  if (document?.['type'] !== 'object') return null;
  return typeof found === 'object' && found !== null ? Object.keys(found) : [];
}

function documentOf(schema: AnySchema): Readonly<Record<string, unknown>> | null {
  try {
    return jsonSchemaOf(schema);
  } catch (error) {
    // Whether the agent can be told what to write is said when the step's prompt is made.
    if (KitError.is(error)) return null;
    throw error;
  }
}
