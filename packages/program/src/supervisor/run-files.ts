/** Where the parts of a run lie. They may hold what nobody else is to read, and what others plant there is not believed. */
import { randomBytes } from 'node:crypto';
import { constants, type Dirent, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '@skillyard/processes';
import { ProgramError } from '../program-error.ts';

/** Shorter than the name of a file may be, whatever is added to it. */
const RUN_ID = /^\w[\w.-]{0,199}$/;
const LOG_SUFFIX = '.jsonl';

/** The paths of one run. */
export interface RunFiles {
  readonly runId: string;
  readonly log: string;
  /** A folder; see run-lock.ts. */
  readonly lock: string;
  /** A copy of the input, when there is one. */
  readonly input: string;
  /** A folder for outputs of commands that do not fit into the log. */
  readonly outputs: string;
}

/** Where the runs of a skill are, when nobody says otherwise. */
export function runsFolderOf(skillFolder: string): string {
  return join(skillFolder, '.yield', 'runs');
}

/** @throws ProgramError NOT_FOUND for what can be no id, such as a path */
export function runFiles(runsFolder: string, runId: string): RunFiles {
  if (!RUN_ID.test(runId)) throw noSuchRun(runId);
  const stem = join(runsFolder, runId);
  return {
    runId,
    log: `${stem}${LOG_SUFFIX}`,
    lock: `${stem}.lock`,
    input: `${stem}.input`,
    outputs: `${stem}.out`,
  };
}

/** @param why what the system said of its log */
export function noSuchRun(runId: string, why = '', cause?: unknown): ProgramError {
  const hint =
    '`inspect` lists the runs of a skill; `--skill <folder>` says which skill, when you are not in its folder';
  return new ProgramError('NOT_FOUND', `no such run: ${runId}${why}`, { cause, hint });
}

/** The ids of all runs, sorted. What lies among them and can be no log is none. */
export function runIds(runsFolder: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(runsFolder, { withFileTypes: true });
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(LOG_SUFFIX))
    .map(({ name }) => name.slice(0, -LOG_SUFFIX.length))
    .filter((id) => RUN_ID.test(id))
    .toSorted();
}

/** Removes all that there is of a run. Who calls has made sure that nobody is at it. */
export async function removeRun(files: RunFiles): Promise<void> {
  // The log goes last: as long as there is one, the rest is found.
  for (const path of [files.input, files.outputs, files.lock, files.log])
    await rm(path, { recursive: true, force: true });
}

export function newRunId(): string {
  return `run_${Math.floor(Date.now() / 1000)}_${randomBytes(5).toString('hex')}`;
}

/**
 * Makes a folder of ours, where its parent is there already, or finds it.
 * @throws ProgramError SKILL_INVALID when a link or a file is in its place
 */
export function privateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    refuseLink(path);
  }
}

/**
 * What is written into a folder must not end up elsewhere.
 * @throws ProgramError SKILL_INVALID when something else than a folder is there
 */
export function refuseLink(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    throw new ProgramError('SKILL_INVALID', `${path} must be a folder, and no link to one: remove it`);
}

/** Opens a file that only its owner reads, and follows no link to it. */
export function openPrivate(path: string, flags: number): number {
  // Windows does not have this flag; links need privileges there.
  return openSync(path, flags | (constants.O_NOFOLLOW ?? 0), 0o600);
}
