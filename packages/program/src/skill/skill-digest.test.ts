import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skillDigest } from './skill-digest.ts';

interface Recorded {
  readonly cases: readonly { name: string; files: Readonly<Record<string, string>>; digest: string }[];
}

const RECORDED = fileURLToPath(new URL('../../../../conformance/yield/skill-digests.json', import.meta.url));

describe('skillDigest', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'skill-digest-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const written = async (name: string, files: Readonly<Record<string, string>>) => {
    const folder = join(root, name);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return folder;
  };

  it('is the recorded one of every recorded folder', async () => {
    const { cases } = JSON.parse(await readFile(RECORDED, 'utf8')) as Recorded;
    const digests = cases.map(async ({ name, files }) => [
      name,
      await skillDigest(await written(name, files)),
    ]);
    expect(await Promise.all(digests)).toEqual(cases.map(({ name, digest }) => [name, digest]));
  });

  it('counts a link to a file as that file, follows none to a folder or to nothing, and reads no socket', async () => {
    const plain = await written('plain', { 'main.py': '1', 'lib.py': '2' });
    const linked = await written('linked', { 'main.py': '1', 'elsewhere/lib.txt': '2' });
    await symlink(join('elsewhere', 'lib.txt'), join(linked, 'lib.py'));
    await symlink('.', join(linked, 'around.py'));
    await symlink('somebody@host.1', join(linked, '.#main.py'));
    const server = createServer().listen(join(linked, 'socket.py'));
    await once(server, 'listening');
    expect(await skillDigest(linked)).toBe(await skillDigest(plain));
    server.close();
  });

  it('is not of a folder that is not there', async () => {
    await expect(skillDigest(join(root, 'none'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(skillDigest(join(await written('file', { 'a.py': '' }), 'a.py'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
