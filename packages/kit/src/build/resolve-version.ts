import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The version of the nearest package.json at or above a folder that has one. */
export async function resolveVersion(folder: string): Promise<string | null> {
  const version = await versionIn(join(folder, 'package.json'));
  if (version !== null) return version;
  const parent = dirname(folder);
  return parent === folder ? null : resolveVersion(parent);
}

async function versionIn(file: string): Promise<string | null> {
  try {
    const { version } = JSON.parse(await readFile(file, 'utf8')) as { readonly version?: unknown };
    return typeof version === 'string' && version !== '' ? version : null;
  } catch {
    // Not there, or none that can be read: the next one above is asked.
    return null;
  }
}
