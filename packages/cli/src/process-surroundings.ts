import process from 'node:process';
import type { InterruptSignal, Surroundings } from './surroundings.ts';

/** This process as commands see it. */
export function processSurroundings(): Surroundings {
  for (const stream of [process.stdout, process.stderr]) {
    // The reader of a pipe has gone (`skillyard ... | head`): nobody is left to tell.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
  return {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    onInterrupt(listener) {
      const signals: InterruptSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    exitNow: (code) => process.exit(code),
  };
}
