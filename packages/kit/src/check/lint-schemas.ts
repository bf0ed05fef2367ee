import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';
import type { KitDiagnostic } from './kit-diagnostic.ts';

/** Responses that nobody can be told the form of: the step could not be shown. */
export function lintSchemas({ steps }: SkillDefinition): KitDiagnostic[] {
  return Object.entries(steps).flatMap(([step, { response }]) => {
    if (response === undefined) return [];
    try {
      jsonSchemaOf(response);
      return [];
    } catch (error) {
      if (!KitError.is(error, 'SKILL_DEFINITION_INVALID')) throw error;
      return [{ rule: 'no-json-schema', severity: 'error', step, message: error.message }];
    }
  });
}
