import { type ChildProcess, spawn } from 'node:child_process';
import { killGroup } from '@skillyard/processes';
import { unavailable } from './asset-failure.ts';

export interface GitRun {
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** More on stdout than this ends the process. */
  readonly maxBytes: number;
}

export interface GitEnd {
  /** null when it was killed. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** It wrote more than was wanted. */
  readonly tooMuch: boolean;
}

/** Settings that hold for every command, whatever a repository or a system says. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  // A clean-up in the background would outlive the command.
  'gc.auto=0',
  'maintenance.auto=false',
  'credential.helper=',
  // A redirect could lead where the configuration does not.
  'http.followRedirects=false',
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=60',
].flatMap((setting) => ['-c', setting]);
const LONGEST_STDERR = 8000;
const TERMINATED_EXIT_MS = 2000;

/**
 * Runs the git command without a shell and without a terminal.
 * After an abort it ends when git has ended, with all that git has started, and throws the reason of the abort.
 * @throws SkillyardError ASSET_UNAVAILABLE when there is no git here
 */
export async function runGit(args: readonly string[], { env, signal, maxBytes }: GitRun): Promise<GitEnd> {
  signal.throwIfAborted();
  const child = spawn('git', [...SETTINGS, ...args], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
    // A group of its own, so that its helpers end with it.
    detached: process.platform !== 'win32',
  });
  const stdout: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  let tooMuch = false;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) stdout.push(chunk);
    else if (!tooMuch) {
      tooMuch = true;
      stop(child);
    }
  });
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => (stderr = (stderr + text).slice(0, LONGEST_STDERR)));
  const onAbort = (): void => stop(child);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const code = await endOf(child);
    signal.throwIfAborted();
    return { code, stdout: Buffer.concat(stdout), stderr, tooMuch };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'ENOENT'
          ? 'There is no git command here, and assets from repositories need one (2.32 or newer). Install git.'
          : `The git command cannot be started: ${error.message}.`;
      reject(unavailable(reason, { cause: error }));
    });
    // What it has started may hold its pipes open, and then no `close` comes.
    child.once('exit', () => killGroup(child, 'SIGKILL'));
    child.once('close', resolve);
  });
}

/** SIGTERM, so that git takes its locks away; SIGKILL if that does not end it. */
function stop(child: ChildProcess): void {
  killGroup(child, 'SIGTERM');
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), TERMINATED_EXIT_MS);
  child.once('close', () => clearTimeout(timer));
}
