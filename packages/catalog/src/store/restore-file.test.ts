import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { restoreFile } from './restore-file.ts';
import { skillHash } from './skill-version.ts';

let folder: string;
let skills: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-restore-'));
  skills = join(folder, 'skills');
  await mkdir(skills);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const restore = (file: string, text: string) => restoreFile({ path: join(skills, file), file }, text);

it('keeps the permissions of the file', async () => {
  await writeFile(join(skills, 'a.yaml'), 'before');
  await chmod(join(skills, 'a.yaml'), 0o600);
  await restore('a.yaml', 'after');
  expect(await readFile(join(skills, 'a.yaml'), 'utf8')).toBe('after');
  expect((await stat(join(skills, 'a.yaml'))).mode & 0o7777).toBe(0o600);
});

it('follows no link that was put where a draft might be', async () => {
  const precious = join(folder, 'precious');
  await writeFile(precious, 'precious');
  await writeFile(join(skills, 'a.yaml'), 'before');
  const planted = `.a.yaml.${skillHash('after')}`;
  await symlink(precious, join(skills, planted));
  await restore('a.yaml', 'after');
  expect(await readFile(precious, 'utf8')).toBe('precious');
  expect((await lstat(join(skills, 'a.yaml'))).isFile()).toBe(true);
  expect((await readdir(skills)).toSorted()).toEqual([planted, 'a.yaml']);
});

it('writes the file that a link of the folder leads to', async () => {
  await writeFile(join(skills, '.real'), 'before');
  await symlink('.real', join(skills, 'a.yaml'));
  await restore('a.yaml', 'after');
  expect(await readlink(join(skills, 'a.yaml'))).toBe('.real');
  expect(await readFile(join(skills, '.real'), 'utf8')).toBe('after');
});

it('writes nothing outside of the folder, and nothing in the place of a link to nowhere', async () => {
  const outside = join(folder, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'skill.yaml'), 'before');
  await symlink('../outside/skill.yaml', join(skills, 'a.yaml'));
  await symlink('../outside', join(skills, 'b'));
  await symlink('../outside', join(skills, 'c'));
  await symlink('nowhere', join(skills, 'd.yaml'));
  for (const file of ['a.yaml', 'b/skill.yaml', 'c/gone.yaml', 'd.yaml', 'no/skill.yaml']) {
    const details = { file: join(skills, file) };
    await expect(restore(file, 'after')).rejects.toMatchObject({ code: 'FILE_UNWRITABLE', details });
  }
  expect(await readdir(outside)).toEqual(['skill.yaml']);
  expect(await readFile(join(outside, 'skill.yaml'), 'utf8')).toBe('before');
  expect(await readlink(join(skills, 'd.yaml'))).toBe('nowhere');
});

it('puts back a file that is gone', async () => {
  await restore('a.yaml', 'after');
  expect(await readFile(join(skills, 'a.yaml'), 'utf8')).toBe('after');
  expect(await readdir(skills)).toEqual(['a.yaml']);
});
