import { SkillyardError } from '@skillyard/contracts';
import { isBlank } from '../flow/white-space.ts';
import type { Mode, Skill } from './ast.ts';
import { quoted } from './quoted.ts';

export type ModeResolution =
  | { readonly ok: true; readonly mode: Mode }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/**
 * Says which of the descriptions of a skill is in effect (spec section 1): steps before prose before code, unless `mode`
 * names one. A mode whose description is missing is refused and never falls back: another one would run and look like a
 * success of the one that was asked for.
 * @param declared the `mode` of the file, empty when it has none
 * @param hasWorkflow the file has steps
 * @param hasPlaybook the file has a playbook that is not blank
 * @param hasCode the file names the code of a built skill
 */
export function resolveMode(
  declared: string,
  hasWorkflow: boolean,
  hasPlaybook: boolean,
  hasCode = false,
): ModeResolution {
  switch (declared) {
    case '':
      if (hasWorkflow || hasPlaybook) return { ok: true, mode: hasWorkflow ? 'workflow' : 'playbook' };
      if (hasCode) return { ok: true, mode: 'code' };
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
    case 'code':
      return hasCode ? { ok: true, mode: declared } : missingHalf(declared, 'has no `code`');
    default:
      return {
        ok: false,
        message: `The mode ${quoted(declared)} does not exist.`,
        hint: 'Write `mode: workflow` or `mode: playbook`, or leave it out.',
      };
  }
}

/** Which descriptions a skill has, and so which modes it can run in. */
export function modesOf(skill: Skill): readonly Mode[] {
  const modes: Mode[] = [];
  if (skill.workflow !== null) modes.push('workflow');
  if (!isBlank(skill.playbook)) modes.push('playbook');
  if (skill.code !== null) modes.push('code');
  return modes;
}

/**
 * The description of a validated skill that is in effect.
 * @param asked a mode to use in place of the file's own; empty when none is
 * @throws SkillyardError SKILL_INVALID if the skill does not have the half that is asked for
 */
export function modeOf(skill: Skill, asked: Mode | '' = ''): Mode {
  const modes = modesOf(skill);
  const declared = asked === '' ? skill.declaredMode : asked;
  const resolved = resolveMode(
    declared,
    modes.includes('workflow'),
    modes.includes('playbook'),
    modes.includes('code'),
  );
  if (resolved.ok) return resolved.mode;
  throw new SkillyardError('SKILL_INVALID', `${resolved.message} ${resolved.hint}`, {
    details: { skill: skill.name },
  });
}

function missingHalf(mode: Mode, what: string): ModeResolution {
  return {
    ok: false,
    message: `The mode is "${mode}", and the skill ${what}.`,
    hint: `Write the ${mode}, or leave \`mode\` out.`,
  };
}
