import { opendir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { compareBytes } from './byte-order.ts';

/** Entries fetched from the system at once. */
const BUFFER = 512;

/**
 * The entries of a folder in the order of their names' bytes.
 * @returns undefined when there are more than `max`: without all names there is no order to take the first by
 * @throws the error of the system when the folder cannot be read
 */
export async function listFolder(path: string, max: number): Promise<Dirent[] | undefined> {
  const entries: Dirent[] = [];
  // Leaving the loop closes the folder.
  for await (const entry of await opendir(path, { bufferSize: BUFFER })) {
    if (entries.length >= max) return undefined;
    entries.push(entry);
  }
  return entries.toSorted((a, b) => compareBytes(a.name, b.name));
}

/** Whether the name of an entry is UTF-8. One that is not was garbled on its way here and opens nothing. */
export function hasUtf8Name(name: string): boolean {
  return !name.includes('\ufffd');
}
