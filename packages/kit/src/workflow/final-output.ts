import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { validate } from '../schema/validate.ts';

/**
 * Holds the last answer against what the skill promises to give. It is given as it was answered.
 * @throws KitError FINAL_OUTPUT_INVALID
 */
export function checkFinalOutput({ name, finalOutput: schema }: SkillDefinition, output: unknown): void {
  if (schema === undefined) {
    return;
  }
  const checked = validate(schema, output);
  if (!checked.ok) {
    throw new KitError(
      'FINAL_OUTPUT_INVALID',
      `The last answer is not the final output that skill ${name} promises: ${checked.message}`,
    );
  }
}
