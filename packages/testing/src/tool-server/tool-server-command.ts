import { fileURLToPath } from 'node:url';
import { nodeArguments } from '../node-process.ts';

/** How to start the tool server as a child process: the `command` and `args` of a server in the configuration. */
export function toolServerCommand(...flags: string[]): { command: string; args: string[] } {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const script = fileURLToPath(new URL(`../main.${extension}`, import.meta.url));
  return { command: process.execPath, args: [...nodeArguments(script), ...flags] };
}
