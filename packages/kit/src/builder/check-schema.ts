import { KitError } from '../kit-error.ts';

/**
 * @param what begins the message, such as `step "ask": response`
 * @throws KitError SKILL_DEFINITION_INVALID for what is there and no schema, such as a plain object in the form of JSON Schema
 */
export function checkSchema(what: string, value: unknown): void {
  if (value === undefined || isSchema(value)) return;
  throw new KitError(
    'SKILL_DEFINITION_INVALID',
    `${what} is no schema; give one of ArkType (\`type\` of this package), Zod 4 or Valibot`,
  );
}

function isSchema(value: unknown): boolean {
  // Schemas of ArkType are functions.
  return (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value;
}
