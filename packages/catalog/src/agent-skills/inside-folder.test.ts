import { mkdir, mkdtemp, open, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isSameInside, readBounded, resolveInside } from './inside-folder.ts';

let folder: string;
let root: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'skillyard-inside-')));
  root = join(folder, 'kit');
  await mkdir(join(root, 'data'), { recursive: true });
  await mkdir(join(folder, 'elsewhere'));
  await writeFile(join(root, 'data/file'), 'ours');
  await writeFile(join(folder, 'elsewhere/file'), 'secret');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Puts a link in the place of the folder on the way to the file, as somebody may between two steps of a reading. */
async function swap(): Promise<void> {
  await rename(join(root, 'data'), join(root, 'data-before'));
  await symlink('../elsewhere', join(root, 'data'));
}

it('a folder that becomes a link after its path was resolved is not followed', async () => {
  const found = await resolveInside(root, 'data/file');
  if (typeof found === 'string') throw new Error(found);
  expect(await readBounded(root, found.real, 10)).toEqual(Buffer.from('ours'));
  await swap();
  expect(await readBounded(root, found.real, 10)).toBe('outside');
});

it('where open files have no place, the path has to lead to the same file still, inside', async () => {
  const path = join(root, 'data/file');
  const ours = await open(path);
  try {
    expect(await isSameInside(root, path, ours)).toBe(true);
    await swap();
    expect(await isSameInside(root, path, ours)).toBe(false);
    const theirs = await open(path);
    try {
      expect(await isSameInside(root, path, theirs)).toBe(false);
      await rm(join(root, 'data'));
      await rename(join(root, 'data-before'), join(root, 'data'));
      // Swapped back in time: the path is fine again, and the file that was opened is another.
      expect(await isSameInside(root, path, theirs)).toBe(false);
    } finally {
      await theirs.close();
    }
  } finally {
    await ours.close();
  }
});
