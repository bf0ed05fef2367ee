import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
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
 * Reads a regular file.
 * @param path without links in it
 */
export async function readBounded(path: string, maxBytes: number): Promise<Buffer | Refusal> {
  let handle: FileHandle;
  try {
    handle = await open(path, OPEN);
  } catch (error) {
    return isMissing(error) ? 'missing' : 'unreadable';
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return 'no-file';
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

/** Whether a path without links is that of the folder or below it. */
function isInside(root: string, path: string): boolean {
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
