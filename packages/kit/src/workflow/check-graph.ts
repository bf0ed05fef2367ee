import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { analyseCycles, declaredTargets } from './analyse-cycles.ts';
import { targetOf } from './target.ts';

/** Where a step of a module leads to until the module is registered. */
const PARENT = '__parent__';

/**
 * Refuses a skill whose graph cannot be run.
 * @throws KitError SKILL_DEFINITION_INVALID for a step that still leads to `__parent__`, CYCLE_GUARD as `analyseCycles`,
 * TARGET_UNKNOWN for a target in words that is nothing
 */
export function checkGraph(definition: SkillDefinition): void {
  const steps = Object.entries(definition.steps);
  for (const [name, config] of steps) {
    if (declaredTargets(name, config)?.includes(PARENT) === true) {
      throw new KitError(
        'SKILL_DEFINITION_INVALID',
        `Step "${name}" has next "${PARENT}", which only a step of a module may have; register the module, or name a step`,
      );
    }
  }
  analyseCycles(definition.steps);
  for (const [name, config] of steps) {
    for (const target of [...(declaredTargets(name, config) ?? []), config.onMaxVisits]) {
      if (target !== undefined) {
        targetOf(definition, name, target);
      }
    }
  }
}
