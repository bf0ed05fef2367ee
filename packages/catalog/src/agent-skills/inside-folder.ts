import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Why a file of a folder is not read. */
export type Refusal = 'missing' | 'outside' | 'no-file' | 'too-large' | 'unreadable';

/** No waiting for the other end of a pipe, no last-moment link. */
const OPEN = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Where a path below a folder leads to. Links are followed as far as they stay inside.
 * @param root the folder, without links in it
 * @param path relative to it
 */
export async function resolveInside(root: string, path: string): Promise<{ real: string } | Refusal> {
  try {
    const real = await realpath(join(root, path));
    return isInside(root, real) ? { real } : 'outside';
  } catch (error) {
    return isMissing(error) ? 'missing' : 'unreadable';
  }
}

/**
 * Reads a regular file of a folder.
 * @param root the folder, without links in it
 * @param path without links in it when it was resolved; should a folder on the way be a link by now, nothing is read
 */
export async function readBounded(root: string, path: string, maxBytes: number): Promise<Buffer | Refusal> {
  let handle: FileHandle;
  try {
    handle = await open(path, OPEN);
  } catch (error) {
    return isMissing(error) ? 'missing' : 'unreadable';
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return 'no-file';
    if (!(await isOpenedInside(root, path, handle))) return 'outside';
    if (stats.size > maxBytes) return 'too-large';
    return await readAll(handle, stats.size);
  } catch {
    return 'unreadable';
  } finally {
    await handle.close();
  }
}

/** Reads as many bytes as the file is said to have; one that grows meanwhile is being written and not to be trusted. */
async function readAll(handle: FileHandle, size: number): Promise<Buffer | Refusal> {
  const buffer = Buffer.alloc(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return 'unreadable';
}

/** Whether an open file lies in the folder: asked of the file itself, since its path may lead elsewhere by now. */
async function isOpenedInside(root: string, path: string, handle: FileHandle): Promise<boolean> {
  const place = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  return place === undefined ? isSameInside(root, path, handle) : isInside(root, place);
}

/**
 * The same where the system does not tell the place of an open file: what the path leads to now is in the folder, and is
 * the file that was opened.
 */
export async function isSameInside(root: string, path: string, handle: FileHandle): Promise<boolean> {
  const real = await realpath(path);
  if (!isInside(root, real)) return false;
  // File numbers may be larger than a double holds.
  const [opened, named] = await Promise.all([handle.stat({ bigint: true }), stat(real, { bigint: true })]);
  return opened.dev === named.dev && opened.ino === named.ino;
}

/** Whether a path without links is that of the folder or below it. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Whether an error of the file system says that something is not there. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The code of an error of the system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
