import type { SkillProblem } from './skill-problem.ts';

/** Lengths of the open standard (specification, "Frontmatter"), in characters. */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;

/**
 * Holds a name against the rules of the open standard.
 *
 * Its text wants `a-z`, `0-9` and `-`; its reference validator takes lower-case letters of other scripts as well. Both
 * are right about what they accept, so such a name is only a warning here.
 * @param folder that the skill stands in
 */
export function nameProblems(name: string, folder: string): SkillProblem[] {
  const normal = name.normalize('NFKC');
  const problems: SkillProblem[] = [];
  const rule = (message: string, hint: string): void => {
    problems.push({
      code: 'SKILL_NAME_RULES',
      severity: 'error',
      message: `the name "${name}" ${message}`,
      hint,
    });
  };
  if (lengthOf(normal) > MAX_NAME) {
    rule(`has ${lengthOf(normal)} characters; at most ${MAX_NAME} are allowed`, 'shorten it');
  }
  if (normal !== normal.toLowerCase()) rule('has capital letters', `write "${normal.toLowerCase()}"`);
  if (normal.startsWith('-') || normal.endsWith('-')) rule('has a hyphen at an end', 'take it off');
  if (normal.includes('--')) rule('has two hyphens in a row', 'keep one of them');
  if (/[^\p{L}\p{N}-]/u.test(normal)) {
    rule('has characters that no name may have', 'use lower-case letters, digits and single hyphens');
  } else if (/[^a-z0-9-]/i.test(normal)) {
    const message = `the name "${name}" has letters outside a-z, which not every tool takes`;
    problems.push({
      code: 'SKILL_NAME_PORTABLE',
      severity: 'warning',
      message,
      hint: 'use a-z, 0-9 and hyphens',
    });
  }
  if (normal !== folder.normalize('NFKC')) {
    const message = `the name "${name}" differs from that of the folder, "${folder}"`;
    problems.push({ code: 'SKILL_NAME_FOLDER', severity: 'error', message, hint: 'give both the same name' });
  }
  return problems;
}

/** Holds the lengths of the other fields against the open standard. */
export function lengthProblems(fields: {
  readonly description: string;
  readonly compatibility: string;
}): SkillProblem[] {
  const bounds = [
    ['description', fields.description, MAX_DESCRIPTION],
    ['compatibility', fields.compatibility, MAX_COMPATIBILITY],
  ] as const;
  return bounds
    .filter(([, text, max]) => text.length > max && lengthOf(text) > max)
    .map(([field, text, max]) => ({
      code: 'SKILL_FIELD_LENGTH',
      severity: 'error',
      message: `${field} has ${lengthOf(text)} characters; the standard allows ${max}`,
      hint: 'shorten it and move the rest into the body',
    }));
}

/** In characters as people count them, not in units of UTF-16. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
