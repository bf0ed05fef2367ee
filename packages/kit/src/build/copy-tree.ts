import { constants, copyFile, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../kit-error.ts';

/**
 * Copies a folder. Links are followed: what is built needs nothing outside.
 * @param replace takes away first what an earlier copy has left
 * @returns the files, seen from the folder, sorted; none when there is no such folder
 */
export async function copyTree(
  from: string,
  to: string,
  { replace }: { readonly replace: boolean },
): Promise<string[]> {
  const source = await realpath(from).catch(() => null);
  // Built into the folder of its own source: what is to be copied is there.
  if (source !== null && source === (await realpath(to).catch(() => null))) return listTree(from);
  if (replace) await rm(to, { recursive: true, force: true });
  if (source === null) return [];
  const files = await listTree(from);
  for (const file of files) {
    await mkdir(join(to, file, '..'), { recursive: true });
    await copyFile(join(from, file), join(to, file), constants.COPYFILE_FICLONE);
  }
  return files;
}

async function listTree(folder: string, above: readonly string[] = []): Promise<string[]> {
  const real = await realpath(folder);
  if (above.includes(real)) throw new KitError('BUILD_FAILED', `${folder} leads back into itself`);
  const files: string[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const path = join(folder, name);
    if ((await stat(path)).isDirectory()) {
      files.push(...(await listTree(path, [...above, real])).map((inner) => join(name, inner)));
    } else {
      files.push(name);
    }
  }
  return files;
}
