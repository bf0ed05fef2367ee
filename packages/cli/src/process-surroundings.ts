import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { ERRORS } from '@skillyard/contracts';
import type { InterruptSignal, Surroundings } from './surroundings.ts';

/** This process as commands see it. */
export function processSurroundings(): Surroundings {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe has gone (`skillyard ... | head`): nobody is left to tell.
    if (error.code === 'EPIPE') process.exit();
    // Half of an answer must not be taken for one, nor for a verdict of the command.
    process.stderr.write(`error FILE_UNWRITABLE: standard output cannot be written: ${error.message}\n`);
    process.exit(ERRORS.FILE_UNWRITABLE.exit);
  });
  // Nobody can be told; a command that cannot speak has not succeeded, unless its reader chose to leave.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? undefined : ERRORS.FILE_UNWRITABLE.exit);
  });
  return {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    ...(process.stdin.isTTY && process.stderr.isTTY && { person: { ask: askAtTerminal } }),
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

/** Reads a line from the terminal, with the keys that edit it. */
async function askAtTerminal(prompt: string, signal: AbortSignal): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  // The terminal is in raw mode meanwhile, and makes no signal of Ctrl-C by itself.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
  try {
    return await Promise.race([lines.question(prompt, { signal }), ended]);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    lines.close();
  }
}
