import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { until } from '@skillyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdFolder } from './hold-folder.ts';

describe('a folder that is held', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hold-folder-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const leaveLock = (holder: object): void => writeFileSync(join(folder, 'lock.1'), JSON.stringify(holder));
  const take = (): (() => void) => {
    const hold = holdFolder(folder);
    if (!('release' in hold)) throw new Error('it is held');
    return hold.release;
  };

  it('is refused to others, with who has it, until it is given back', () => {
    const release = take();
    expect(holdFolder(folder)).toMatchObject({ heldBy: { pid: process.pid, host: hostname() } });
    release();
    release();
    take()();
  });

  it('is not held by a process that has ended, nor by another one that got its number', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    leaveLock({ pid: child.pid, startedAt: '1', host: hostname() });
    take()();
    leaveLock({ pid: process.pid, startedAt: '1', host: hostname() });
    take()();
  });

  it('is held by a process of another machine as long as that gives a sign', () => {
    leaveLock({ pid: process.pid, startedAt: '', host: 'elsewhere.example' });
    expect(holdFolder(folder)).toMatchObject({ heldBy: { host: 'elsewhere.example' } });
  });

  it.skipIf(process.platform !== 'linux')(
    'is not held by a process that died and whose parent does not care',
    async () => {
      // What becomes of a shell's background that ends when the shell has become something that waits for nobody.
      const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      });
      const [printed] = (await once(parent.stdio[1] as Readable, 'data')) as [Buffer];
      const pid = Number(printed.toString());
      const fields = (): string[] =>
        readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
      await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n');
      (parent.stdio[3] as Writable).end();
      await until(() => fields()[0] === 'Z');
      leaveLock({ pid, startedAt: fields()[19], host: hostname() });
      take()();
      parent.kill('SIGKILL');
    },
  );
});
