import type { ActionDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

/** What an author says of an action; `effect` is `once` when left out. */
export type ActionSettings = Omit<ActionDefinition, 'kind' | 'effect'> &
  Partial<Pick<ActionDefinition, 'effect'>>;

const REQUIRED = ['name', 'input', 'output', 'run'] as const;

/** @throws KitError SKILL_DEFINITION_INVALID if a field is missing */
export function defineAction(settings: ActionSettings): ActionDefinition {
  for (const field of REQUIRED) {
    if (settings[field] !== undefined && settings[field] !== '') continue;
    throw new KitError('SKILL_DEFINITION_INVALID', `action: ${field} is required`);
  }
  const { name, input, output, run, effect = 'once', timeoutMs } = settings;
  return Object.freeze({
    kind: 'action',
    name,
    input,
    output,
    effect,
    ...(timeoutMs !== undefined && { timeoutMs }),
    run,
  });
}
