import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRegularFile } from './read-regular-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillyard-file-'));
  path = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('reading a regular file', () => {
  it('gives all bytes up to the limit, also through a link', async () => {
    const bytes = Buffer.alloc(200_000, 'abc');
    await writeFile(path, bytes);
    await symlink(path, join(folder, 'link'));
    expect(await readRegularFile(join(folder, 'link'), 200_000)).toEqual({ kind: 'read', bytes });
    expect(await readRegularFile(path, 199_999)).toEqual({ kind: 'too-large', size: '200000 bytes' });
  });

  it('gives no bytes of an empty file', async () => {
    await writeFile(path, '');
    expect(await readRegularFile(path, 10)).toEqual({ kind: 'read', bytes: Buffer.alloc(0) });
  });

  it.runIf(process.platform === 'linux')('bounds a file that is said to have no bytes', async () => {
    expect(await readRegularFile('/proc/self/status', 10)).toEqual({
      kind: 'too-large',
      size: 'more than 10 bytes',
    });
  });

  it('does not wait for a pipe, a device or a socket', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
    expect(await readRegularFile(path, 10)).toEqual({ kind: 'irregular' });
    expect(await readRegularFile('/dev/zero', 10)).toEqual({ kind: 'irregular' });
    const socket = join(folder, 'socket');
    const server = createServer();
    await new Promise<void>((done) => {
      server.listen(socket, done);
    });
    expect(await readRegularFile(socket, 10)).toEqual({ kind: 'irregular' });
    server.close();
  });

  it('tells a folder, and throws what the system says of a path that leads nowhere', async () => {
    expect(await readRegularFile(folder, 10)).toEqual({ kind: 'folder' });
    await expect(readRegularFile(path, 10)).rejects.toMatchObject({ code: 'ENOENT' });
    await symlink('file', path);
    await expect(readRegularFile(path, 10)).rejects.toMatchObject({ code: 'ELOOP' });
  });
});
