import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** What a path led to: the bytes of a file, or why there are none. */
export type FileReading =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'folder' }
  /** A pipe, a socket or a device: it may have no end. */
  | { readonly kind: 'irregular' }
  /** `size` in words, such as `123 bytes`. */
  | { readonly kind: 'too-large'; readonly size: string };

const CHUNK_BYTES = 64 * 1024;

/**
 * Reads a regular file of at most so many bytes. It is opened once, and what was opened is what is looked at and read; no
 * more than one byte beyond the limit is read, whatever size the file is said to have.
 * @param path links in it are followed
 * @throws the error of the system, such as ENOENT, when it cannot be opened or read
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<FileReading> {
  const handle = await openAtOnce(path);
  if (handle === null) return { kind: 'irregular' };
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) return { kind: 'folder' };
    if (!stats.isFile()) return { kind: 'irregular' };
    if (stats.size > maxBytes) return { kind: 'too-large', size: `${stats.size} bytes` };
    const bytes = await readUpTo(handle, maxBytes + 1);
    // It grew meanwhile, or the system makes it up as it is read and gives no size.
    if (bytes.length > maxBytes) return { kind: 'too-large', size: `more than ${maxBytes} bytes` };
    return { kind: 'read', bytes };
  } finally {
    await handle.close();
  }
}

/** Opens without waiting for the other end of a pipe; null for what cannot be opened because it is no file, as a socket. */
async function openAtOnce(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENXIO') return null;
    throw error;
  }
}

/** The first bytes of what is open, whatever size it is said to have. */
export async function readUpTo(handle: FileHandle, most: number): Promise<Buffer> {
  const chunk = Buffer.alloc(Math.min(most, CHUNK_BYTES));
  const parts: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.length, most - length));
    if (bytesRead === 0) break;
    parts.push(Buffer.from(chunk.subarray(0, bytesRead)));
    length += bytesRead;
  }
  return Buffer.concat(parts);
}
