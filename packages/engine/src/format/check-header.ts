import { isBlank } from '../flow/white-space.ts';
import { checkCode } from './check-code.ts';
import { checkSources } from './check-sources.ts';
import { refuseAdditions } from './find-additions.ts';
import { resolveMode } from './mode.ts';
import { validateSkillName } from './name.ts';
import { quoted } from './quoted.ts';
import type { ValidationCode, Report } from './report.ts';
import { type RawSkill, SKILL } from './shapes.ts';
import { checkFormatVersion, isBeforeAdditions } from './version.ts';

/** Checks what stands above the workflow, in the order of spec section 14 (version, name, description, mode), then sources. */
export function checkHeader(skill: RawSkill, report: Report): void {
  const at = (key: string): number => skill.node.entries.get(key)?.keyOffset ?? skill.node.offset;
  const refuse = (code: ValidationCode, key: string, message: string, hint: string): void =>
    report.add({ code, message, hint, offset: at(key) });

  const version = checkFormatVersion(skill.skill_engine_version);
  if (!version.ok) {
    const code = skill.skill_engine_version === '' ? 'VERSION_MISSING' : 'VERSION_UNSUPPORTED';
    refuse(code, 'skill_engine_version', strangeness(skill) + version.message, version.hint);
  }
  const isOlder = isBeforeAdditions(skill.skill_engine_version);
  if (isOlder) refuseAdditions(skill, report);

  const nameProblem = validateSkillName(skill.name);
  if (skill.name === '') {
    refuse(
      'NAME_MISSING',
      'name',
      '`name` is missing.',
      'Give the skill a name, the same as its file: name: audit.',
    );
  } else if (nameProblem !== undefined) {
    refuse(
      'NAME_INVALID',
      'name',
      nameProblem,
      'Write small letters, digits, dashes and underscores: audit-report.',
    );
  }
  if (isBlank(skill.description)) {
    const whose = skill.name === '' ? 'the skill' : `skill ${quoted(skill.name)}`;
    refuse(
      'DESCRIPTION_MISSING',
      'description',
      `The \`description\` of ${whose} is missing or blank.`,
      'Say in one sentence what the skill is for.',
    );
  }
  const mode = resolveMode(skill.mode, hasSteps(skill), !isBlank(skill.playbook), skill.code !== null);
  if (!mode.ok) refuse('MODE_INVALID', 'mode', mode.message, mode.hint);
  if (isOlder) return;
  checkSources(skill, report);
  checkCode(skill.code, report);
}

/** The skill has a workflow with steps; one without steps counts as absent (spec section 1). */
export function hasSteps(skill: RawSkill): boolean {
  return (skill.workflow?.steps ?? []).length > 0;
}

/** What to say first of a file that has nothing of a skill. */
function strangeness(skill: RawSkill): string {
  const keys = [...skill.node.entries.keys()];
  if (keys.length === 0) return 'The file is empty. ';
  if (keys.some((key) => Object.hasOwn(SKILL, key))) return '';
  const shown = keys.slice(0, 3).map((key) => quoted(key));
  return `This does not look like a skill file: it has none of a skill's keys (found ${shown.join(', ')}). `;
}
