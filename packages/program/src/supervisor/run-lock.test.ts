import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@skillyard/testing';
import { afterAll, expect, it } from 'vitest';
import { runFiles } from './run-files.ts';
import { lockRun } from './run-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.skipIf(process.platform !== 'linux')(
  'is not held by a process that died and whose parent does not care',
  async () => {
    // What becomes of a shell's background when the shell becomes something that waits for nobody.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    const fields = (): string[] =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
    await until(() => fields()[0] === 'Z');

    const files = runFiles(folder, 'run_1');
    mkdirSync(files.lock);
    writeFileSync(join(files.lock, '1'), JSON.stringify({ pid, startedAt: fields()[19], host: hostname() }));
    const release = lockRun(files);
    expect(() => lockRun(files)).toThrow(`held by another supervisor (process ${process.pid}`);
    release();
    parent.kill('SIGKILL');
  },
);
