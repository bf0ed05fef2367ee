import { KitError } from '../kit-error.ts';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import type { Run, RunOptions } from './run-contract.ts';

export type { Accepted, AcceptedAction, Run, RunOptions } from './run-contract.ts';

/**
 * Opens a run of a skill, plain or composite.
 * @throws KitError PARAMS_INVALID; CYCLE_GUARD, TARGET_UNKNOWN or SKILL_DEFINITION_INVALID for a graph that cannot be run
 */
export function openRun(definition: SkillDefinition, _options: RunOptions = {}): Run {
  throw new KitError('SKILL_DEFINITION_INVALID', `skill "${definition.name}" cannot be run yet`);
}

/**
 * Opens a run of one sub-skill of a composite, without the dispatcher. `params` are those of the sub-skill. Steps may be named with
 * or without the prefix; results always have it.
 * @throws KitError as `openRun`, and TARGET_UNKNOWN if there is no such sub-skill
 */
export function openSubskill(definition: SkillDefinition, name: string, _options: RunOptions = {}): Run {
  throw new KitError(
    'SKILL_DEFINITION_INVALID',
    `sub-skill "${name}" of "${definition.name}" cannot be run yet`,
  );
}
