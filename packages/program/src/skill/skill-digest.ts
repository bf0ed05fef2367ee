import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '@skillyard/processes';
import { ProgramError } from '../program-error.ts';

const SUFFIXES = ['.go', '.ts', '.js', '.mjs', '.py'];
const NAMES = new Set([
  'SKILL.md',
  'go.mod',
  'skill.json',
  'package.json',
  'pyproject.toml',
  'requirements.txt',
]);

/**
 * The digest of the sources of a skill: what a run is bound to. The protocol says which files count, and node_modules does.
 * @returns `sha256:` and lower-case hex
 * @throws ProgramError NOT_FOUND when there is no such folder
 */
export async function skillDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of (await sourcesBelow(folder)).toSorted(byBytes)) {
    const content = await readFile(join(folder, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** Paths relative to the folder, with slashes on every system, in no order. */
async function sourcesBelow(folder: string): Promise<string[]> {
  const sources: string[] = [];
  const waiting = [''];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for (const entry of await entriesOf(join(folder, below))) {
      const path = `${below}${entry.name}`;
      if (entry.isDirectory()) {
        if (!isSkipped(entry.name)) waiting.push(`${path}/`);
      } else if (isSource(entry.name) && (await isFile(entry, join(folder, path)))) sources.push(path);
    }
  }
  return sources;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw new ProgramError('NOT_FOUND', `cannot read the skill folder ${folder}`, { cause: error });
  }
}

/** `.yield`, where runs are kept, is one of the hidden ones. */
function isSkipped(name: string): boolean {
  return name.startsWith('.') || name === 'fixtures';
}

function isSource(name: string): boolean {
  return NAMES.has(name) || SUFFIXES.some((suffix) => name.endsWith(suffix));
}

/** A link to a file counts as that file; links to folders are not followed, and a pipe would never end. */
async function isFile(entry: Dirent, path: string): Promise<boolean> {
  return entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path)));
}

async function leadsToFile(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isFile();
  } catch (error) {
    // It leads nowhere, as those do that some editors leave beside a file while it is open.
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ELOOP')) return false;
    throw error;
  }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
