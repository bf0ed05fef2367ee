import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readRegularFile } from '@skillyard/catalog';
import { SkillyardError } from '@skillyard/contracts';
import { isMap, isSeq, parseDocument } from 'yaml';
import { displayPath, reasonOf } from './read-file.ts';

/** Skill files, as messages name them. */
export interface FoundFiles {
  readonly files: readonly string[];
  /** YAML files of a folder that are about something else. */
  readonly skipped: readonly string[];
}

const OTHER_FOLDERS = new Set(['node_modules', 'dist']);
const CONFIG_FILES = new Set(['skillyard.yaml', 'skillyard.yml']);

/**
 * A file as it is named; of a folder, every `*.yaml` and `*.yml` below it that is a skill or may be meant as one.
 * @throws SkillyardError FILE_UNREADABLE or INPUT_INVALID
 */
export async function findSkillFiles(path: string, cwd: string): Promise<FoundFiles> {
  const shown = displayPath(path, cwd);
  const found = await stat(resolve(cwd, path)).catch((cause: unknown) => {
    const message = `${shown} cannot be read: ${reasonOf(cause)}; check the path`;
    throw new SkillyardError('FILE_UNREADABLE', message, { details: { file: shown }, cause });
  });
  if (!found.isDirectory()) return { files: [shown], skipped: [] };
  const files: string[] = [];
  const skipped: string[] = [];
  for await (const file of yamlFiles(resolve(cwd, path))) {
    const list = (await isOtherYaml(file)) ? skipped : files;
    list.push(displayPath(file, cwd));
  }
  if (files.length === 0) {
    const message = `there is no skill file (*.yaml, *.yml) below ${shown}; name a file or another folder`;
    throw new SkillyardError('INPUT_INVALID', message, { details: { file: shown } });
  }
  return { files, skipped };
}

async function* yamlFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && !OTHER_FOLDERS.has(entry.name)) yield* yamlFiles(path);
    } else if (/\.ya?ml$/.test(entry.name) && !CONFIG_FILES.has(entry.name)) {
      if (entry.isFile() || (entry.isSymbolicLink() && (await mayBeFile(path)))) yield path;
    }
  }
}

/** A pipe or a device may have no end. A link that leads nowhere is a mistake, and whoever reads it says so. */
async function mayBeFile(link: string): Promise<boolean> {
  return stat(link).then(
    (found) => found.isFile(),
    () => true,
  );
}

const SKILL_KEYS = ['skill_engine_version', 'workflow', 'playbook', 'code'];
const MAX_BYTES = 1024 * 1024;

/**
 * Whether a file is surely about something else: readable YAML, and none of what makes a skill. Of a file that cannot be
 * read, such as a link that leads nowhere, whoever reads it as a skill says so.
 */
async function isOtherYaml(file: string): Promise<boolean> {
  const root = await readRoot(file).catch(() => null);
  if (!isMap(root)) return false;
  // A list of steps is a flow whose author forgot what stands around it.
  return !SKILL_KEYS.some((key) => root.has(key)) && !isSeq(root.get('steps'));
}

async function readRoot(file: string): Promise<unknown> {
  const found = await readRegularFile(file, MAX_BYTES);
  if (found.kind !== 'read') return null;
  const document = parseDocument(found.bytes.toString('utf8'), { schema: 'failsafe' });
  return document.errors.length > 0 ? null : document.contents;
}
