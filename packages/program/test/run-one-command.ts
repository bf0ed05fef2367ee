/** Runs a command in a process that tests kill. Arguments: the command, its folder. */
import { fileOutputStore, runCommand } from '../src/command/index.ts';

const [command = '', cwd = ''] = process.argv.slice(2);
const output = fileOutputStore({ folder: cwd, path: 'output' });
await runCommand({ command, cwd, env: process.env, timeoutMs: 600_000, output });
