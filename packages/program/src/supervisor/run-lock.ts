import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ProgramError } from '../program-error.ts';
import { isErrno, privateFolder, type RunFiles } from './run-files.ts';

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
 * Takes a run for this caller alone, or refuses at once. Death gives it back.
 *
 * The lock is a folder with a numbered file of who holds it. A file comes with its content in one step, so of two that want the same
 * number one gets it. What a dead process has left is overtaken by the next number and not removed to make room: between the look
 * and the removal somebody else may have come. Numbers begin anew when all files are gone, so who has one looks once more.
 * @returns gives it back
 * @throws ProgramError LOCKED
 */
export function lockRun(files: RunFiles): () => void {
  privateFolder(files.lock);
  const before = numbersIn(files.lock);
  refuseIfHeld(files, before);
  const number = Math.max(0, ...before) + 1;
  const path = join(files.lock, String(number));
  claim(files, path);
  const others = numbersIn(files.lock).filter((other) => other !== number);
  try {
    refuseIfHeld(files, others);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  for (const other of others) rmSync(join(files.lock, String(other)), { force: true });
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    rmSync(path, { force: true });
  };
}

function claim(files: RunFiles, path: string): void {
  const draft = join(files.lock, `draft.${randomBytes(8).toString('hex')}`);
  const holder: Holder = { pid: process.pid, startedAt: startOf(process.pid), host: hostname() };
  writeFileSync(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw locked(files, null);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function refuseIfHeld(files: RunFiles, numbers: readonly number[]): void {
  for (const number of numbers) {
    const path = join(files.lock, String(number));
    const holder = readHolder(path);
    if (holder !== null && lives(holder, path)) throw locked(files, holder);
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
    // The folder is gone with its run; the next write says so.
  }
}

function locked({ runId }: RunFiles, holder: Holder | null): ProgramError {
  const by = holder === null ? '' : ` (process ${holder.pid} on ${holder.host})`;
  return new ProgramError(
    'LOCKED',
    `run ${runId} is held by another supervisor${by}: wait until it has ended, then inspect the run before you go on`,
  );
}
