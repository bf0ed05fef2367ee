import type { Dirent } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { LIMITS } from './limits.ts';
import { listFolder } from './list-folder.ts';
import { LOWER_CASE_FILE, openSkillFolder, SKILL_FILE } from './skill-file.ts';

/**
 * The skill folders that a path stands for: its own, when it is one or the file in it; else those a loader would look
 * into, in the folder and in the agent folders of it.
 * @param path absolute
 * @param shown the path, for people
 * @returns the path itself when there are none: what is missing is then said of it
 * @throws SkillyardError FILE_UNREADABLE, SKILL_TOO_LARGE when the folder has too many entries
 */
export async function findSkillFolders(path: string, shown: string): Promise<readonly string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    const message = `there is nothing at ${shown}: check the path`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details: { file: shown }, cause });
  });
  if (!found.isDirectory()) {
    if (isSkillFile(basename(path))) return [dirname(path)];
    const message = `${shown} is no skill: name its folder, or the ${SKILL_FILE} in it`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details: { file: shown } });
  }
  if (await holdsSkill(path)) return [path];
  const below = await skillsBelow(path, shown, []);
  return below.length === 0 ? [path] : below;
}

async function skillsBelow(path: string, shown: string, around: readonly string[]): Promise<string[]> {
  const listed = await list(path, shown);
  if (around.includes(listed.real) || around.length > LIMITS.agentDepth) return [];
  const found: string[] = [];
  for (const entry of listed.entries) {
    const inner = join(path, entry.name);
    if (entry.name === '.git' || !(entry.isDirectory() || entry.isSymbolicLink())) continue;
    if (await holdsSkill(inner)) found.push(inner);
    else if (entry.name.startsWith('.') && entry.isDirectory()) {
      found.push(...(await skillsBelow(inner, join(shown, entry.name), [...around, listed.real])));
    }
  }
  return found;
}

async function list(path: string, shown: string): Promise<{ real: string; entries: readonly Dirent[] }> {
  const details = { file: shown };
  try {
    const real = await realpath(path);
    const entries = await listFolder(real, LIMITS.folderEntries);
    if (entries !== undefined) return { real, entries };
  } catch (cause) {
    const message = `the folder ${shown} cannot be listed: check its permissions`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details, cause });
  }
  const message = `${shown} holds more than ${LIMITS.folderEntries} entries; name a folder that holds skills only`;
  throw new SkillyardError('SKILL_TOO_LARGE', message, { details });
}

async function holdsSkill(path: string): Promise<boolean> {
  const opened = (await openSkillFolder(path)) ?? (await openSkillFolder(path, LOWER_CASE_FILE));
  return opened !== null;
}

function isSkillFile(name: string): boolean {
  return name === SKILL_FILE || name === LOWER_CASE_FILE;
}
