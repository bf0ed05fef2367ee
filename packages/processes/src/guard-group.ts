import { type ChildProcess, spawn } from 'node:child_process';

/** The end of what it reads means that we have died; a line before it, that it is no longer needed. */
const GUARD = 'read -r line || { kill -9 "-$1"; rm -rf "$2"; }';

/**
 * Sets somebody up who kills a child that leads a group of its own, and all in the group, when this process dies without a word.
 * On Windows nobody is.
 * @param folder what is removed then, too, when it was made for the child
 * @returns calls it off
 */
export function guardGroup(child: ChildProcess, folder = ''): () => void {
  if (process.platform === 'win32' || child.pid === undefined) return () => {};
  // In a group of its own, too: who kills ours is not to kill it.
  const guard: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'sh', String(child.pid), folder], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Where no shell can be started, nobody guards; where it was ended by others, there is nobody to call off.
  guard.on('error', () => {});
  guard.stdin?.on('error', () => {});
  guard.unref();
  return () => void guard.stdin?.end('\n');
}
