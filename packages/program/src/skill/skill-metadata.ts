import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { ProgramError } from '../program-error.ts';

/** By what agents find a skill: the lines between the two `---` of its SKILL.md. */
export interface SkillMetadata {
  readonly name: string;
  readonly description: string;
}

/** The Agent Skills standard has this form; it goes into paths and files as it is. */
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST_DESCRIPTION = 1024;
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?<lines>[\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

export function isSkillName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Reads what SKILL.md says of a skill. What is missing is an empty text: `metadataProblems` says what is wrong with it.
 * @param folder of the skill
 * @throws ProgramError SKILL_INVALID when there is no SKILL.md, or no front matter in it
 */
export async function readMetadata(folder: string): Promise<SkillMetadata> {
  const path = join(folder, 'SKILL.md');
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const message = `cannot read ${path}: a skill has a SKILL.md with its name and its description`;
    throw new ProgramError('SKILL_INVALID', message, { cause });
  });
  const { name, description } = fieldsIn(text, path);
  return { name: textOf(name), description: textOf(description) };
}

/** @returns what is wrong, each in words; none when agents can find the skill by it */
export function metadataProblems({ name, description }: SkillMetadata, folder: string): string[] {
  const problems: string[] = [];
  if (!isSkillName(name)) {
    problems.push(`SKILL.md: name "${name}" must match [a-z0-9]+(-[a-z0-9]+)* and be at most 64 characters`);
  } else if (name !== basename(folder)) {
    problems.push(`SKILL.md: name "${name}" must be that of the folder, "${basename(folder)}"`);
  }
  const { length } = Array.from(description);
  if (length < 1 || length > LONGEST_DESCRIPTION) {
    problems.push(
      `SKILL.md: description must have 1 to ${LONGEST_DESCRIPTION} characters, and has ${length}`,
    );
  }
  if (/\btodo\b/i.test(description)) {
    problems.push('SKILL.md: description still has a "todo": say what the skill does and when to use it');
  }
  return problems;
}

function fieldsIn(text: string, path: string): Readonly<Record<string, unknown>> {
  const lines = FRONT_MATTER.exec(text)?.groups?.['lines'];
  if (lines === undefined) {
    throw new ProgramError(
      'SKILL_INVALID',
      `${path} must begin with its name and description between two lines ---`,
    );
  }
  try {
    const fields: unknown = parse(lines);
    return typeof fields === 'object' && fields !== null ? { ...fields } : {};
  } catch (cause) {
    throw new ProgramError('SKILL_INVALID', `${path}: the lines between --- are no YAML`, { cause });
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
