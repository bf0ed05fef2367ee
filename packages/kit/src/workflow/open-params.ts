import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { validate } from '../schema/validate.ts';
import { deepFreeze } from './deep-freeze.ts';

/**
 * The params of a run: checked, with their defaults, frozen. A skill that declares none takes anything.
 * @throws KitError PARAMS_INVALID
 */
export function openParams({ name, params: schema }: SkillDefinition, given: unknown): unknown {
  const params = given === undefined ? {} : given;
  if (schema === undefined) {
    return deepFreeze(params);
  }
  const checked = validate(schema, params);
  if (checked.ok) {
    return deepFreeze(checked.value);
  }
  const issues = checked.issues.map(({ path, message }) =>
    path.length === 0 ? message : `"${path.map(String).join('.')}": ${message}`,
  );
  throw new KitError(
    'PARAMS_INVALID',
    `Invalid params for skill "${name}": ${issues.join('; ')} (pass them with --params, as JSON)`,
  );
}
