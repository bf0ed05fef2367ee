import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { kill, killGroup } from '@skillyard/processes';
import { MARK_VARIABLE } from './command-process.ts';

/** One look may miss a process that is just being replaced by another program; nothing is missed twice. */
const CLEAN_LOOKS = 2;
const BETWEEN_LOOKS_MS = 5;
/** Something that forks faster than it is looked for is given up, rather than to never return. */
const MOST_LOOKS = 200;

/**
 * Kills a command and whatever it has started.
 *
 * Its group dies at once, without a chance to fork in between. What has left the group (`setsid`) is looked for where the
 * system shows the environment of processes (Linux), until nothing is found any more.
 */
export async function endProcesses(child: ChildProcess, mark: string): Promise<void> {
  killGroup(child, 'SIGKILL');
  if (process.platform !== 'linux') return;
  for (let clean = 0, looks = 0; clean < CLEAN_LOOKS && looks < MOST_LOOKS; looks++) {
    if (looks > 0) await pause(BETWEEN_LOOKS_MS);
    const found = await processesWith(mark);
    for (const pid of found) kill(pid, 'SIGKILL');
    clean = found.length === 0 ? clean + 1 : 0;
  }
}

async function processesWith(mark: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name));
  const found = await Promise.all(pids.map((pid) => hasMark(pid, mark)));
  return pids.filter((_, index) => found[index]).map(Number);
}

async function hasMark(pid: string, mark: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
    return environment
      .split('\0')
      .some((entry) => entry.startsWith(`${MARK_VARIABLE}=`) && entry.includes(mark));
  } catch {
    // It has ended, or belongs to somebody else and so is none of ours.
    return false;
  }
}
