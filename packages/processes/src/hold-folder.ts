import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isErrno } from './is-errno.ts';

/** How often a holder shows that it lives, for those who cannot look: processes of other machines. */
const HEARTBEAT_MS = 5_000;
const SILENT_AFTER_MS = 60_000;

/** A process that holds a folder. */
export interface Holder {
  readonly pid: number;
  /** Tells a process from a later one with its number; empty where the system does not say. */
  readonly startedAt: string;
  readonly host: string;
}

/** A folder that is held now, or who has it; null: somebody who came at the same moment. */
export type Hold = { readonly release: () => void } | { readonly heldBy: Holder | null };

/**
 * Takes a folder for this caller alone, or says at once who has it. Death gives it back.
 *
 * A lock is a file `lock.<n>` in it, made with its content in one step, so of two that want the same number one gets it. What a dead
 * process has left is not removed to make room, for between the look and the removal somebody else may have taken its place;
 * it is overtaken by the next number. A number can begin anew when all locks are gone, therefore who has one looks once more
 * whether it is alone.
 * @param folder exists, and nobody else writes into it
 * @returns `release` gives it back; may be called again
 */
export function holdFolder(folder: string): Hold {
  const before = locksIn(folder);
  const earlier = livingHolder(folder, before);
  if (earlier !== undefined) return { heldBy: earlier };
  const number = Math.max(0, ...before) + 1;
  const path = lockFile(folder, number);
  if (!claim(folder, path)) return { heldBy: null };
  const others = locksIn(folder).filter((other) => other !== number);
  const other = livingHolder(folder, others);
  if (other !== undefined) {
    rmSync(path, { force: true });
    return { heldBy: other };
  }
  for (const left of others) rmSync(lockFile(folder, left), { force: true });
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    release: () => {
      clearInterval(heartbeat);
      rmSync(path, { force: true });
    },
  };
}

/** @returns false when somebody else was there first */
function claim(folder: string, path: string): boolean {
  const draft = join(folder, `draft.${randomBytes(8).toString('hex')}`);
  const holder: Holder = { pid: process.pid, startedAt: startOf(process.pid), host: hostname() };
  writeFileSync(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function locksIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const number = /^lock\.(\d+)$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

function livingHolder(folder: string, numbers: readonly number[]): Holder | undefined {
  for (const number of numbers) {
    const path = lockFile(folder, number);
    const holder = readHolder(path);
    if (holder !== null && lives(holder, path)) return holder;
  }
  return undefined;
}

/** null: it has been given back meanwhile, or a power cut has left it without its content, and its holder is gone. */
function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return null;
    throw error;
  }
}

function lives(holder: Holder, path: string): boolean {
  if (holder.host !== hostname()) return lastSignOf(path) > Date.now() - SILENT_AFTER_MS;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    if (isErrno(error, 'ESRCH')) return false;
  }
  const startedAt = startOf(holder.pid);
  return startedAt === '' || holder.startedAt === '' || startedAt === holder.startedAt;
}

function lastSignOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When a process began, in whatever the system counts in; empty where it does not say, and `ended` for one that is a zombie. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may hold anything; the start is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Killed, it has its number until somebody asks how it ended, and in a container that may be nobody.
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  } catch {
    return '';
  }
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The folder is gone with what it was for; the next write says so.
  }
}

function lockFile(folder: string, number: number): string {
  return join(folder, `lock.${number}`);
}
