import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isErrno } from '@skillyard/processes';
import { until } from '@skillyard/testing';
import { expect, it } from 'vitest';

/** Starts something that never comes back, guards it, says its number, and calls the guard off when it is told to. */
const PARENT = `
import { spawn } from 'node:child_process';
import { guardGroup } from '@skillyard/processes';
const child = spawn('sh', ['-c', 'sleep 600 & while :; do :; done'], { detached: true, stdio: 'ignore' });
const callOff = guardGroup(child, process.argv[1]);
console.log(child.pid);
process.stdin.once('data', () => { callOff(); console.log('called off'); });
`;

function lives(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false;
    throw error;
  }
}

it.skipIf(process.platform === 'win32')(
  'what is guarded ends with whoever is killed, and its folder goes; what is not, goes on',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'guard-group-'));
    const start = async () => {
      const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, folder], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
      return { parent, group: Number(printed.toString()) };
    };

    const unguarded = await start();
    unguarded.parent.stdin.write('\n');
    await once(unguarded.parent.stdout, 'data');
    unguarded.parent.kill('SIGKILL');
    await once(unguarded.parent, 'exit');

    const guarded = await start();
    expect(lives(guarded.group)).toBe(true);
    guarded.parent.kill('SIGKILL');
    await until(() => !lives(guarded.group));
    await until(() => !existsSync(folder));
    expect(lives(unguarded.group)).toBe(true);
    process.kill(-unguarded.group, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  },
);
