import type { AnySchema, StepConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';

/**
 * Refuses a step whose response lacks something that its action needs, where the response is the input as it is.
 * Names only: whether the values fit is checked when they are there.
 * @throws KitError SKILL_DEFINITION_INVALID
 */
export function checkActionInput(step: string, { action, response }: StepConfig): void {
  if (action === undefined || typeof action === 'function') return;
  if (action.mapInput !== undefined || response === undefined) return;
  const needed = namesOf(action.run.input, 'required');
  const given = namesOf(response, 'properties');
  if (needed === null || given === null) return;
  const missing = needed.filter((name) => !given.includes(name));
  if (missing.length === 0) return;
  throw new KitError(
    'SKILL_DEFINITION_INVALID',
    `Step "${step}" uses action "${action.run.name}" without mapInput, but its response has no ${missing.join(', ')}; ` +
      'add it to the response or map the input',
  );
}

/** Null when the schema does not say: then there is nothing to compare. */
function namesOf(schema: AnySchema, part: 'required' | 'properties'): readonly string[] | null {
  let json: Record<string, unknown>;
  try {
    json = jsonSchemaOf(schema);
  } catch (error) {
    // Who needs the contract of the step says so; an action works without one.
    if (KitError.is(error, 'SKILL_DEFINITION_INVALID')) return null;
    throw error;
  }
  if (json.type !== 'object') return null;
  const names = json[part];
  if (Array.isArray(names)) return names.filter((name) => typeof name === 'string');
  return typeof names === 'object' && names !== null ? Object.keys(names) : [];
}
