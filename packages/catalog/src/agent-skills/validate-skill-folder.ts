import { basename, join, resolve } from 'node:path';
import type { Diagnostic } from '@skillyard/contracts';
import { LOWER_CASE_FILE, openSkillFolder, SKILL_FILE } from './skill-file.ts';
import { inFile, type SkillProblem } from './skill-problem.ts';
import { validateSkill } from './validate-skill.ts';

/**
 * Holds a skill folder against the open standard.
 * @param path of the folder
 * @param shown the folder, for people
 * @returns what is wrong with it; the skill is valid when there is no error among them
 */
export async function validateSkillFolder(path: string, shown: string): Promise<Diagnostic[]> {
  const file = join(shown, SKILL_FILE);
  const exact = await openSkillFolder(path);
  const opened = exact ?? (await openSkillFolder(path, LOWER_CASE_FILE));
  if (opened === null) return [inFile(MISSING, file)];
  if (typeof opened.text !== 'string') return [inFile(opened.text, file)];
  const problems = validateSkill(opened.text, basename(resolve(path)));
  return exact === null
    ? [LOWER_CASE, ...problems].map((one) => inFile(one, join(shown, LOWER_CASE_FILE)))
    : problems.map((one) => inFile(one, file));
}

const MISSING: SkillProblem = {
  code: 'SKILL_FILE_MISSING',
  severity: 'error',
  message: 'the folder holds no SKILL.md',
  hint: 'name the folder of a skill',
};
const LOWER_CASE: SkillProblem = {
  code: 'SKILL_FILE_NAME',
  severity: 'warning',
  message: 'loaders look for SKILL.md, in capitals',
  hint: 'rename the file',
};
