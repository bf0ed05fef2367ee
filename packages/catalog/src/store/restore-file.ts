import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { isInside, isMissing } from '../agent-skills/inside-folder.ts';
import { replaceFile } from '../file/replace-file.ts';
import type { SkillVersion } from './skill-version.ts';

/**
 * Puts a text back into a skill file. A link stays a link: the file it leads to is written, which has to be in the folder
 * of the skills.
 * @throws SkillyardError FILE_UNWRITABLE
 */
export async function restoreFile(skill: Pick<SkillVersion, 'path' | 'file'>, text: string): Promise<void> {
  const { path, file } = skill;
  const folder = path.slice(0, -file.length);
  let places: { readonly root: string; readonly target: string };
  try {
    places = { root: await realpath(folder), target: await targetOf(path) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unwritable(path, `${reason}; check its folder and where its links lead`, cause);
  }
  const { root, target } = places;
  if (!isInside(root, target)) {
    throw unwritable(path, `it is a link to ${target}, outside of ${folder}; change that file itself`);
  }
  await replaceFile(target, text, path);
}

/** Where the file really is. One that is gone is put back into its folder; a link to nowhere is left alone. */
async function targetOf(path: string): Promise<string> {
  try {
    await lstat(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return join(await realpath(dirname(path)), basename(path));
  }
  return realpath(path);
}

function unwritable(path: string, reason: string, cause?: unknown): SkillyardError {
  const message = `${path} cannot be written: ${reason}`;
  return new SkillyardError('FILE_UNWRITABLE', message, { details: { file: path }, cause });
}
