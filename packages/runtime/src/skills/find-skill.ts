import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillyardError } from '@skillyard/contracts';
import { isMap, parseDocument } from 'yaml';
import { suggest } from '../config/nearest.ts';

/** Finds skill files by the name in their header. */
export interface SkillFinder {
  /**
   * @returns the absolute path of the skill's file
   * @throws SkillyardError SKILL_NOT_FOUND that says where was looked and what is there
   */
  find(name: string): Promise<string>;
  /**
   * The name of every skill there is.
   * @throws SkillyardError FILE_UNREADABLE if a folder cannot be read
   */
  names(): Promise<readonly string[]>;
}

/** Larger files are no skills; reading them to learn that would cost more than it tells. */
const MAX_BYTES = 1024 * 1024;

/**
 * Looks for skills in folders: `*.yaml` and `*.yml` in each, and `<any>/skill.yaml` one level below.
 * Of two files with the same name in their header, the one in the folder given first counts. A file that cannot be
 * read keeps its file name, so that a reference to it ends in its own error and not in "not found".
 * The folders are read at the first question and then remembered.
 * @param folders absolute
 */
export function createSkillFinder(folders: readonly string[]): SkillFinder {
  const searched = [...new Set(folders)];
  let index: Promise<Map<string, string>> | undefined;
  const files = (): Promise<Map<string, string>> => (index ??= indexFolders(searched));
  return {
    names: async () => [...(await files()).keys()],
    async find(name) {
      const known = await files();
      const file = known.get(name);
      if (file !== undefined) return file;
      const message = `there is no skill "${name}" in ${searched.join(', ')}; ${suggest(name, [...known.keys()].toSorted())}`;
      throw new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name, folders: searched } });
    },
  };
}

async function indexFolders(folders: readonly string[]): Promise<Map<string, string>> {
  const index = new Map<string, string>();
  for (const folder of folders) {
    for (const candidate of await skillFiles(folder)) {
      const name = await skillName(candidate);
      if (name !== null && !index.has(name)) index.set(name, candidate.path);
    }
  }
  return index;
}

interface Candidate {
  readonly path: string;
  /** What it is called when its header cannot be read. */
  readonly fallback: string;
}

async function skillFiles(folder: string): Promise<Candidate[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const message = `the skill folder ${folder} cannot be read; correct \`skills\` in the configuration`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details: { file: folder }, cause: error });
  }
  const found: Candidate[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const stem = /^(.+)\.ya?ml$/.exec(entry.name)?.[1];
    if (stem !== undefined && stem !== 'skillyard') found.push({ path, fallback: stem });
    else if (entry.isDirectory()) found.push({ path: join(path, 'skill.yaml'), fallback: entry.name });
  }
  return found;
}

/** The `name` of a skill's header; null when the file is not there or is no skill. */
async function skillName(candidate: Candidate): Promise<string | null> {
  const found = await stat(candidate.path).catch(() => null);
  if (found === null || !found.isFile()) return null;
  if (found.size > MAX_BYTES) return candidate.fallback;
  const document = parseDocument(await readFile(candidate.path, 'utf8'), { schema: 'failsafe' });
  if (document.errors.length > 0) return candidate.fallback;
  const name = isMap(document.contents) ? document.contents.get('name') : undefined;
  return typeof name === 'string' && name !== '' ? name : null;
}
