import type { CodeRound, Json } from '@skillyard/contracts';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import type { HostedOptions } from './decide.ts';

/** Runs the action that the last decision asked for. */
export async function act(
  definition: SkillDefinition,
  _turn: { readonly rounds: readonly CodeRound[]; readonly step: string; readonly input: Json },
  _signal: AbortSignal,
  _options: HostedOptions = {},
): Promise<Json> {
  throw new KitError('PROTOCOL', `the skill "${definition.name}" cannot be hosted yet`);
}
