import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { until } from './until.ts';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A Node process under test: the real thing, so that it can be killed like the real thing. */
export interface NodeProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Everything it wrote so far. */
  stdout(): string;
  stderr(): string;
  readonly exited: Promise<Exit>;
  /** Waits until it has written this text to either stream. */
  wrote(text: string, timeoutMs?: number): Promise<void>;
  /** Asks it to end, and kills it when it does not within the time. */
  stop(timeoutMs?: number): Promise<Exit>;
}

export interface SpawnNodeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const require = createRequire(import.meta.url);

/**
 * The arguments Node needs to run a script: a TypeScript source goes through tsx and reads the other packages from
 * their sources, a built file runs as it is.
 */
export function nodeArguments(script: string): string[] {
  if (!script.endsWith('.ts')) return [script];
  // The first export condition of our packages is the one that leads to their sources.
  const { exports } = require('../package.json') as { exports: { '.': Record<string, string> } };
  const [toSources = ''] = Object.keys(exports['.']);
  return [`--conditions=${toSources}`, '--import', require.resolve('tsx'), script];
}

/** Starts a Node script as a process of its own. Its environment is ours plus `env`. */
export function spawnNode(
  script: string,
  args: readonly string[] = [],
  options: SpawnNodeOptions = {},
): NodeProcess {
  const child = spawn(process.execPath, [...nodeArguments(script), ...args], {
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString('utf8')));
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  if (child.pid === undefined) throw new Error(`cannot start ${script}`);
  const hasWritten = (text: string): boolean =>
    written.stdout.includes(text) || written.stderr.includes(text);
  return {
    pid: child.pid,
    child,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    exited,
    wrote: async (text, timeoutMs = 20_000) => {
      const ended = exited.then((exit) => {
        if (hasWritten(text)) return;
        throw new Error(
          `${script} ended (${JSON.stringify(exit)}) without writing "${text}":\n${written.stderr}`,
        );
      });
      await Promise.race([
        until(() => hasWritten(text), timeoutMs, `"${text}" in the output of ${script}`),
        ended,
      ]);
    },
    stop: async (timeoutMs = 10_000) => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      const exit = await exited;
      clearTimeout(timer);
      return exit;
    },
  };
}

/** Kills a process as a power cut would: SIGKILL, nothing can be tidied up. Resolves when it is gone. */
export async function killHard(victim: NodeProcess): Promise<Exit> {
  victim.child.kill('SIGKILL');
  return victim.exited;
}
