import { lstat, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf, isMissing, readBounded, type Refusal, resolveInside } from './inside-folder.ts';
import { LIMITS } from './limits.ts';
import type { SkillProblem } from './skill-problem.ts';

/** The name that a loader looks for, exactly. */
export const SKILL_FILE = 'SKILL.md';
/** What some tools take as well. */
export const LOWER_CASE_FILE = 'skill.md';
type SkillFileName = typeof SKILL_FILE | typeof LOWER_CASE_FILE;

/** A folder that holds a `SKILL.md`. */
export interface OpenedFolder {
  /** Without links in it. */
  readonly root: string;
  /** What is in the file, or why that is not known. */
  readonly text: string | SkillProblem;
}

/**
 * Reads the `SKILL.md` of a folder. The folder may be a link; what is in it may not lead out of it.
 * @param maxBytes of the file; {@link LIMITS.skillBytes} at most
 * @returns null when it is no folder or holds no such file
 */
export async function openSkillFolder(
  path: string,
  name: SkillFileName = SKILL_FILE,
  maxBytes: number = LIMITS.skillBytes,
): Promise<OpenedFolder | null> {
  let root: string;
  try {
    root = await realpath(path);
  } catch (error) {
    return isMissing(error) ? null : { root: path, text: unreachable(error) };
  }
  const found = await resolveInside(root, name);
  if (typeof found === 'string') return found === 'missing' ? null : { root, text: problemOf(found) };
  // Some file systems find `SKILL.md` under `skill.md` as well.
  if (basename(found.real) !== name && !(await isLink(join(root, name)))) return null;
  const bytes = await readBounded(root, found.real, Math.min(maxBytes, LIMITS.skillBytes));
  if (bytes === 'missing' || bytes === 'no-file') return null;
  return { root, text: typeof bytes === 'string' ? problemOf(bytes) : decodeSkill(bytes) };
}

/** The bytes of a `SKILL.md` as text, or what is wrong with them. */
export function decodeSkill(bytes: Uint8Array): string | SkillProblem {
  if (bytes.length > LIMITS.skillBytes) return problemOf('too-large');
  try {
    // A byte order mark is kept: it hides the opening fence, and the reader says so.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const message = 'the file is not UTF-8 text';
    return { code: 'SKILL_FILE_NOT_UTF8', severity: 'error', message, hint: 'save it as UTF-8' };
  }
}

function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

function problemOf(refusal: Refusal): SkillProblem {
  if (refusal === 'outside') {
    return {
      code: 'SKILL_FILE_OUTSIDE',
      severity: 'error',
      message: 'the file is a link that leads out of its folder',
      hint: 'copy it, or link the whole folder',
    };
  }
  if (refusal === 'too-large') {
    return {
      code: 'SKILL_FILE_TOO_LARGE',
      severity: 'error',
      message: `the file is larger than ${LIMITS.skillBytes} bytes`,
      hint: 'move details into files of the skill folder that the body names',
    };
  }
  return {
    code: 'SKILL_FILE_UNREADABLE',
    severity: 'error',
    message: 'the file cannot be read',
    hint: 'check its permissions, and that no link in its path leads back to itself',
  };
}

function unreachable(error: unknown): SkillProblem {
  const loop = codeOf(error) === 'ELOOP';
  return {
    code: loop ? 'FOLDER_LOOP' : 'FOLDER_UNREADABLE',
    // A link to nowhere hides no skill.
    severity: loop ? 'warning' : 'error',
    message: loop ? 'the link leads back to itself' : 'the folder cannot be opened',
    hint: loop ? 'remove the link' : 'check its permissions',
  };
}
