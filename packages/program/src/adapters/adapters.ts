import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { mkdir, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { isBelow } from '../files/is-below.ts';
import { replaceFile } from '../files/replace-file.ts';
import { ProgramError } from '../program-error.ts';
import { skillDigest } from '../skill/skill-digest.ts';
import { metadataProblems, readMetadata } from '../skill/skill-metadata.ts';
import { SUPERVISOR_VERSION } from '../supervisor/supervisor-version.ts';
import {
  type AdapterMarker,
  type AdapterSource,
  adapterText,
  GENERATOR,
  readMarker,
} from './adapter-text.ts';
import type { Agent } from './agents.ts';
import { pathWithin, sourcePath } from './repository.ts';

/** The file by which coding agents find a skill. */
export interface Adapter {
  /** Those that look into its folder, sorted by their ids. */
  readonly agents: readonly Agent[];
  /** Absolute, links resolved. */
  readonly path: string;
  /** From the root of the repository. */
  readonly place: string;
  /** What it is to be. */
  readonly text: string;
  readonly state: 'missing' | 'current' | 'outdated';
}

/**
 * What an adapter of a skill says.
 * @param folder of the skill, absolute
 * @param root of its repository
 * @throws ProgramError SKILL_INVALID when agents could not find the skill by its SKILL.md, or its path fits into no adapter
 */
export async function adapterSource(folder: string, root: string): Promise<AdapterSource> {
  const metadata = await readMetadata(folder);
  const [problem] = metadataProblems(metadata, folder);
  if (problem !== undefined) throw new ProgramError('SKILL_INVALID', `${folder}: ${problem}`);
  const source = sourcePath(root, folder);
  return { ...metadata, source, digest: await skillDigest(folder), version: SUPERVISOR_VERSION };
}

/**
 * The adapters of a skill, one for each folder that the agents look into. Nothing is written.
 * @throws ProgramError SKILL_INVALID for a file that is not ours, and for a place that must not be written to
 */
export async function planAdapters(
  skill: AdapterSource,
  agents: readonly Agent[],
  root: string,
): Promise<Adapter[]> {
  const canonical = await realpath(join(root, skill.source));
  const text = adapterText(skill);
  return [...byFolder(agents)].map(([folder, sharing]) => {
    const place = `${folder}/${skill.name}/SKILL.md`;
    const path = pathWithin(root, place);
    if (isBelow(canonical, dirname(dirname(path)))) {
      const message = `${skill.source} lies where ${namesOf(sharing)} looks for skills; keep the program elsewhere, such as skills/${skill.name}`;
      throw new ProgramError('SKILL_INVALID', message);
    }
    const state = stateOf(path, text, skill.source);
    return { agents: sharing, path, place, text, state };
  });
}

/** Writes an adapter, or leaves it as it is when it is current. Nobody ever reads half of one. */
export async function writeAdapter({ path, text, state }: Adapter): Promise<void> {
  if (state === 'current') return;
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, text);
}

/**
 * Adapters of ours for skills that are no longer below a folder.
 * @param sources the folder that the skills lay in, from the root; `.` is the root
 * @param kept the sources that there are
 * @returns absolute paths, with the agents that look there
 */
export async function obsoleteAdapters(
  sources: string,
  kept: ReadonlySet<string>,
  agents: readonly Agent[],
  root: string,
): Promise<Pick<Adapter, 'agents' | 'path'>[]> {
  const found: Pick<Adapter, 'agents' | 'path'>[] = [];
  for (const [folder, sharing] of byFolder(agents)) {
    if (!existsSync(join(root, folder))) continue;
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    // A link is not ours: what it leads to is no adapter.
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    for (const name of names.toSorted()) {
      const path = pathWithin(root, `${folder}/${name}/SKILL.md`);
      const marker = markerAt(path);
      if (marker === null || marker.generator !== GENERATOR || kept.has(marker.source)) continue;
      if (posix.dirname(marker.source) === sources) found.push({ agents: sharing, path });
    }
  }
  return found;
}

/** Removes an adapter, and its folder when nothing else is in it. */
export async function removeAdapter(path: string): Promise<void> {
  await rm(path);
  await rmdir(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/** What an adapter says of itself; null when it is missing, or nobody generated it. */
export function markerAt(path: string): AdapterMarker | null {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? readMarker(readFileSync(path, 'utf8')) : null;
}

function stateOf(path: string, text: string, source: string): Adapter['state'] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'missing';
  if (!stats.isFile()) {
    throw new ProgramError(
      'SKILL_INVALID',
      `${path} is no regular file, and is left alone; remove it to register here`,
    );
  }
  const present = readFileSync(path, 'utf8');
  if (present === text) return 'current';
  const marker = readMarker(present);
  if (marker !== null && marker.generator === GENERATOR && marker.source === source) return 'outdated';
  const other =
    marker === null || marker.generator === GENERATOR
      ? ''
      : `: it was generated by ${marker.generator}; remove it when this adapter is to take its place`;
  throw new ProgramError(
    'SKILL_INVALID',
    `refusing to overwrite user-owned or differently sourced adapter ${path}${other}`,
  );
}

/** Many agents look into the same folder: one file serves them all. */
function byFolder(agents: readonly Agent[]): Map<string, Agent[]> {
  const sharing = new Map<string, Agent[]>();
  for (const agent of agents) sharing.set(agent.folder, [...(sharing.get(agent.folder) ?? []), agent]);
  return sharing;
}

function namesOf(agents: readonly Agent[]): string {
  return agents.map(({ name }) => name).join(', ');
}
