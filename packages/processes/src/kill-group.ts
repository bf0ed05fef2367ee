import type { ChildProcess } from 'node:child_process';
import { isErrno } from './is-errno.ts';

/** Sends a signal to a child that leads a group of its own, and to all it has started. One that has ended is no error. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  // Without a number it has never begun.
  if (process.platform === 'win32' || child.pid === undefined) child.kill(signal);
  else kill(-child.pid, signal);
}

/**
 * Sends a signal to a process.
 * @param pid below zero: of a whole group
 */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It went by itself in between, or has become somebody else by `sudo`: neither is ours to end any more.
    if (!isErrno(error, 'ESRCH') && !isErrno(error, 'EPERM')) throw error;
  }
}
