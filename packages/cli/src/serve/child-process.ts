import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ProcessPlan } from './system-processes.ts';

/** How a process ended: its exit code, or the signal that killed it. */
export interface ChildEnd {
  readonly name: string;
  readonly code: number | null;
  readonly signal: string | null;
}

/** A started process. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Resolves when it has said that it is ready; never when it ends before that. */
  readonly ready: Promise<void>;
  readonly ended: Promise<ChildEnd>;
  signal(signal: NodeJS.Signals): void;
}

/**
 * Starts a process of the system.
 *
 * It gets a process group of its own: Ctrl-C in a terminal reaches every process of the foreground group, and a service
 * that gets the signal from the terminal and from us takes the second for impatience and ends at once.
 * @param onLine told of every line it writes, but for the one that says it is ready
 */
export function startChild(
  plan: ProcessPlan,
  env: Readonly<Record<string, string | undefined>>,
  onLine: (name: string, line: string) => void,
): Child {
  const child = spawn(process.execPath, [plan.script, ...plan.args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let becameReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    becameReady = resolve;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (isReadyLine(line)) becameReady();
    else onLine(plan.name, line);
  });
  createInterface({ input: child.stderr }).on('line', (line) => onLine(plan.name, line));
  return {
    name: plan.name,
    pid: child.pid ?? 0,
    ready,
    ended: endOf(plan.name, child),
    signal: (signal) => void child.kill(signal),
  };
}

function endOf(name: string, child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ name, code: null, signal: error.message }));
    child.once('close', (code, signal) => resolve({ name, code, signal }));
  });
}

/** Services write `{"event":"ready",...}` to standard output when they take work. */
function isReadyLine(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return (JSON.parse(line) as { event?: unknown }).event === 'ready';
  } catch {
    return false;
  }
}
