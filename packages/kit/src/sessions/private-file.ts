/**
 * Files that only their owner reads and writes. Session folders may lie where others can write, too (`/tmp`), and what
 * others plant there, links above all, must be neither followed nor believed.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import { isErrno } from '@skillyard/processes';
import { KitError } from '../kit-error.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = constants;
// Windows has neither; links need privileges there.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
// A pipe with nobody at its other end must not hold us up.
const NO_BLOCK = constants.O_NONBLOCK ?? 0;

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
const WORLD_WRITABLE = 0o002;
const STICKY = 0o1000;

/** @throws Error EEXIST when something is there, a link too; ENOENT when the folder is not */
export function createPrivateFile(path: string): number {
  return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | NO_FOLLOW, OWNER_ONLY);
}

/**
 * Opens a file for reading and appending.
 * @throws KitError SESSION_UNSAFE when it is no regular file of ours alone
 * @throws Error ENOENT
 */
export function openPrivateFile(path: string): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDWR | O_APPEND | NO_FOLLOW | NO_BLOCK);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) throw error;
    throw unsafe(
      path,
      isErrno(error, 'ELOOP') ? 'is a link' : `cannot be opened: ${messageOf(error)}`,
      error,
    );
  }
  const wrong = whatIsWrongWithFile(fstatSync(descriptor));
  if (wrong === null) return descriptor;
  closeSync(descriptor);
  throw unsafe(path, wrong);
}

/**
 * Checks a folder that is ours alone.
 * @throws KitError SESSION_UNSAFE, also for a link to a folder
 * @throws Error ENOENT
 */
export function checkPrivateFolder(path: string): void {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw unsafe(path, 'is no folder');
  if (!isOurs(stats)) throw unsafe(path, `belongs to another user (uid ${stats.uid})`);
  const mode = stats.mode & 0o777;
  if (hasOwners() && mode !== 0o700)
    throw unsafe(
      path,
      `has mode ${mode.toString(8)} and must have 700: others could read or replace sessions`,
    );
}

/**
 * Checks a folder that was named by the user: files in it must be safe from being replaced by others.
 * @throws KitError SESSION_UNSAFE
 * @throws Error ENOENT
 */
export function checkNamedFolder(path: string): void {
  const stats = statSync(path);
  if (!stats.isDirectory()) throw unsafe(path, 'is no folder');
  if (!hasOwners()) return;
  if (!isOurs(stats) && stats.uid !== 0) throw unsafe(path, `belongs to another user (uid ${stats.uid})`);
  if ((stats.mode & WORLD_WRITABLE) !== 0 && (stats.mode & STICKY) === 0)
    throw unsafe(path, `is writable for everybody (mode ${(stats.mode & 0o777).toString(8)})`);
}

/** All of a file, wherever it was read or written last. */
export function readWhole(descriptor: number): string {
  const buffer = Buffer.alloc(fstatSync(descriptor).size);
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, length);
    if (read === 0) break;
    length += read;
  }
  return buffer.toString('utf8', 0, length);
}

function whatIsWrongWithFile(stats: Stats): string | null {
  if (!stats.isFile()) return 'is no regular file';
  if (!hasOwners()) return null;
  if (!isOurs(stats)) return `belongs to another user (uid ${stats.uid})`;
  if ((stats.mode & OTHERS) !== 0) return `has mode ${(stats.mode & 0o777).toString(8)} and must have 600`;
  // A second name is how a file of ours is offered to us as a session.
  return stats.nlink > 1 ? 'has more than one name' : null;
}

function hasOwners(): boolean {
  return process.getuid !== undefined;
}

function isOurs(stats: Stats): boolean {
  return !hasOwners() || stats.uid === process.getuid?.();
}

function unsafe(path: string, what: string, cause?: unknown): KitError {
  return new KitError(
    'SESSION_UNSAFE',
    `${path} ${what}; correct it, or pass another folder with --session-dir`,
    cause === undefined ? undefined : { cause },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
