import type { CodeRound, Json } from '@skillyard/contracts';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { asJson, type HostedOptions, openTurn } from './open-turn.ts';
import { pendingFor, remember } from './turn-memo.ts';

/**
 * Runs the action that the last decision asked for, with the input that it worked out then.
 * @throws KitError PROTOCOL when the turn does not wait for the action of this step; and as `perform` of a run
 */
export async function act(
  definition: SkillDefinition,
  { rounds, step }: { readonly rounds: readonly CodeRound[]; readonly step: string },
  signal: AbortSignal,
  options: HostedOptions = {},
): Promise<Json> {
  const remembered = remember(rounds);
  const pending = pendingFor(remembered, 'action');
  if (pending.step !== step) {
    throw new KitError(
      'PROTOCOL',
      `the turn waits for the action of step "${pending.step}", not of "${step}"`,
    );
  }
  const run = openTurn(definition, remembered, options);
  const accepted = run.accept(step, pending.raw);
  if ('kind' in accepted || accepted.action === null) {
    throw new KitError('PROTOCOL', `step "${step}" has no action any more for the answer that was taken`);
  }
  const action = { ...accepted.action, input: pending.input };
  return asJson(await run.perform({ ...accepted, action }, signal));
}
