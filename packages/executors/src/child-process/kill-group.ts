import type { ChildProcess } from 'node:child_process';

/** Sends a signal to a child that leads a group of its own, and to all it has started. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It went by itself in between.
  }
}
