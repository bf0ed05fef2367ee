import type { SkillDefinition } from '../definition/skill-definition.ts';
import { CompositeRun } from './composite-run.ts';
import { Effects } from './effects.ts';
import { PlainRun } from './plain-run.ts';
import type { Run, RunOptions } from './run-contract.ts';

export type { Accepted, AcceptedAction, Run, RunOptions } from './run-contract.ts';

/**
 * Opens a run of a skill, plain or composite.
 * @throws KitError PARAMS_INVALID; CYCLE_GUARD, TARGET_UNKNOWN or SKILL_DEFINITION_INVALID for a graph that cannot be run
 */
export function openRun(definition: SkillDefinition, options: RunOptions = {}): Run {
  const leads = definition.subskills !== undefined || definition.topics !== undefined;
  return leads && options.stopAtRedirects !== true
    ? new CompositeRun(definition, options, null)
    : new PlainRun(definition, options, new Effects());
}

/**
 * Opens a run of one sub-skill of a composite, without the dispatcher. `params` are those of the sub-skill. Steps may be named with
 * or without the prefix; results always have it.
 * @throws KitError as `openRun`, and TARGET_UNKNOWN if there is no such sub-skill
 */
export function openSubskill(definition: SkillDefinition, name: string, options: RunOptions = {}): Run {
  return new CompositeRun(definition, options, name);
}
