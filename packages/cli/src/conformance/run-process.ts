import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';

/** What a command came to. */
export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Far more than any command of a skill takes. */
const TIMEOUT_MS = 60_000;

/**
 * Runs a command with nothing on its stdin.
 * @param env what it sees besides the PATH and the home folder
 */
export async function runProcess(
  command: string,
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(command, argv, {
    cwd,
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { exit: code, stdout, stderr };
}

/** Of the environment: what a command needs to start, and nothing that could change what it does. */
export function inherited(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}
