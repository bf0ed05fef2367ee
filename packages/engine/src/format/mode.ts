import type { Mode } from './ast.ts';
import { quoted } from './quoted.ts';

export type ModeResolution =
  | { readonly ok: true; readonly mode: Mode }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/**
 * Says which of the two descriptions of a skill is in effect (spec section 1): steps before prose, unless `mode` names
 * one. A mode whose half is missing is refused and never falls back: the other half would run and look like a success
 * of the one that was asked for.
 * @param declared the `mode` of the file, empty when it has none
 * @param hasWorkflow the file has steps
 * @param hasPlaybook the file has a playbook that is not blank
 */
export function resolveMode(declared: string, hasWorkflow: boolean, hasPlaybook: boolean): ModeResolution {
  switch (declared) {
    case '':
      if (hasWorkflow || hasPlaybook) return { ok: true, mode: hasWorkflow ? 'workflow' : 'playbook' };
      return {
        ok: false,
        message: 'The skill says nothing to do: it has neither a `workflow` with steps nor a `playbook`.',
        hint: 'Write the work as a text under `playbook:`, or as steps under `workflow:` and `steps:`.',
      };
    case 'workflow':
      return hasWorkflow
        ? { ok: true, mode: declared }
        : missingHalf(declared, 'has no `workflow` with steps');
    case 'playbook':
      return hasPlaybook
        ? { ok: true, mode: declared }
        : missingHalf(declared, 'has no `playbook`, or a blank one');
    default:
      return {
        ok: false,
        message: `The mode ${quoted(declared)} does not exist.`,
        hint: 'Write `mode: workflow` or `mode: playbook`, or leave it out.',
      };
  }
}

function missingHalf(mode: Mode, what: string): ModeResolution {
  return {
    ok: false,
    message: `The mode is "${mode}", and the skill ${what}.`,
    hint: `Write the ${mode}, or leave \`mode\` out.`,
  };
}
