#!/usr/bin/env node
import process from 'node:process';
import { runProgram } from './cli/run-program.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A second one ends the process at once.
  process.once(signal, () => stop.abort());
}
process.exitCode = await runProgram(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  input: process.stdin,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  signal: stop.signal,
});
// Nothing may keep the process after its command is done, such as a pipe that nobody closes; but all must be written.
process.stdout.write('', () => process.exit());
