import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { KitError } from '../kit-error.ts';
import { isErrno } from './private-file.ts';

/** How often a holder shows that it lives, for those who cannot look: processes of other machines. */
const HEARTBEAT_MS = 5_000;
const SILENT_AFTER_MS = 60_000;

interface Holder {
  readonly pid: number;
  /** Tells a process from a later one with its number; empty where the system does not say. */
  readonly startedAt: string;
  readonly host: string;
}

/**
 * Takes a session for this caller alone, or refuses at once.
 *
 * A lock is a file `lock.<n>`, made with its content in one step, so of two that want the same number one gets it. What a dead
 * process has left is not removed to make room, for between the look and the removal somebody else may have taken its place;
 * it is overtaken by the next number. A number can begin anew when all locks are gone, therefore who has one looks once more
 * whether it is alone.
 * @param folder of this session alone
 * @returns gives it back; may be called again
 * @throws KitError SESSION_BUSY
 */
export function lockSession(folder: string, sessionId: string): () => void {
  const before = locksOf(folder);
  refuseIfLiving(folder, before, sessionId);
  const number = Math.max(0, ...before) + 1;
  const path = lockFile(folder, number);
  claim(folder, path, sessionId);
  const others = locksOf(folder).filter((other) => other !== number);
  try {
    refuseIfLiving(folder, others, sessionId);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  for (const other of others) rmSync(lockFile(folder, other), { force: true });
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    rmSync(path, { force: true });
  };
}

function claim(folder: string, path: string, sessionId: string): void {
  const draft = join(folder, `draft.${randomBytes(8).toString('hex')}`);
  const holder: Holder = { pid: process.pid, startedAt: startOf(process.pid), host: hostname() };
  writeFileSync(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw busy(sessionId, null);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function locksOf(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const number = /^lock\.(\d+)$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

function refuseIfLiving(folder: string, numbers: readonly number[], sessionId: string): void {
  for (const number of numbers) {
    const path = lockFile(folder, number);
    const holder = readHolder(path);
    if (holder !== null && lives(holder, path)) throw busy(sessionId, holder);
  }
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
  if (holder.host !== hostname()) {
    try {
      return Date.now() - statSync(path).mtimeMs < SILENT_AFTER_MS;
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return false;
      throw error;
    }
  }
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    if (isErrno(error, 'ESRCH')) return false;
  }
  const startedAt = startOf(holder.pid);
  return startedAt === '' || holder.startedAt === '' || startedAt === holder.startedAt;
}

/** When a process began, in whatever the system counts in; empty where it does not say. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may hold anything; the start is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The folder is gone with its session; the next write says so.
  }
}

function lockFile(folder: string, number: number): string {
  return join(folder, `lock.${number}`);
}

function busy(sessionId: string, holder: Holder | null): KitError {
  const by = holder === null ? '' : ` (process ${holder.pid} on ${holder.host})`;
  return new KitError(
    'SESSION_BUSY',
    `session "${sessionId}" is being advanced by another call${by}: wait until it has ended, then read the session before you go on`,
  );
}
