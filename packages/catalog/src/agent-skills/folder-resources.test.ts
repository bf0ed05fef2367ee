import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AgentSkill } from './agent-skill.ts';
import { FolderResources } from './folder-resources.ts';
import { LIMITS } from './limits.ts';
import { loadResources } from './load-resources.ts';

let folder: string;
let resources: FolderResources;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'skillyard-resources-')));
  await mkdir(join(folder, 'kit/scripts'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'kit/SKILL.md'), 'x');
  await writeFile(join(folder, 'kit/scripts/run.sh'), 'echo');
  resources = new FolderResources(join(folder, 'kit'), 'kit');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('nothing outside the folder is listed or read, by whichever path', async () => {
  await symlink('../secret.txt', join(folder, 'kit/link'));
  await symlink('..', join(folder, 'kit/up'));
  await symlink(folder, join(folder, 'kit/away'));
  await symlink('loop', join(folder, 'kit/loop'));
  await symlink('scripts/run.sh', join(folder, 'kit/inside'));
  expect(await resources.list()).toEqual(['inside', 'scripts/run.sh']);
  const paths = [
    '../secret.txt',
    'scripts/../../secret.txt',
    join(folder, 'secret.txt'),
    'link',
    'up/secret.txt',
  ];
  for (const path of [
    ...paths,
    'away/secret.txt',
    'a\0b',
    '',
    '.',
    'scripts',
    'loop',
    'none',
    '../kit/../secret.txt',
  ]) {
    await expect(resources.read(path)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  }
  expect(Buffer.from(await resources.read('inside')).toString()).toBe('echo');
  expect(Buffer.from(await resources.read('./scripts/../scripts/run.sh')).toString()).toBe('echo');
});

it('a folder that is away after loading is an error with its name', async () => {
  await rm(join(folder, 'kit'), { recursive: true });
  await expect(resources.list()).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
});

it('a file over the limit is not read, and more files than the limit are not listed', async () => {
  await writeFile(join(folder, 'kit/big'), Buffer.alloc(LIMITS.resourceBytes + 1));
  await expect(resources.read('big')).rejects.toMatchObject({ code: 'SKILL_TOO_LARGE' });
  const skill = { resources } as unknown as AgentSkill;
  expect([...(await loadResources(skill)).keys()]).toEqual(['scripts/run.sh']);
  expect(await loadResources(skill)).toBe(await loadResources(skill));
  for (let i = 0; i <= LIMITS.resourceFiles; i += 1) await writeFile(join(folder, `kit/${i}`), '');
  await expect(resources.list()).rejects.toMatchObject({ code: 'SKILL_TOO_LARGE', details: { file: 'kit' } });
});
