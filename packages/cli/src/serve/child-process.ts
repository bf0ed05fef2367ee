import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ProcessPlan } from './system-processes.ts';

/** How a process ended: its exit code, or the signal that killed it. */
export interface ChildEnd {
  readonly name: string;
  readonly code: number | null;
  readonly signal: string | null;
}

/** What a service says when it takes work. */
interface ReadyLine {
  readonly event: 'ready';
  /** Where its API is, if it has one. */
  readonly http?: string;
}

/** A started process. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Resolves with what it said when it was ready; never when it ends before that. */
  readonly ready: Promise<ReadyLine>;
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
  let becameReady: (line: ReadyLine) => void = () => undefined;
  const ready = new Promise<ReadyLine>((resolve) => {
    becameReady = resolve;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = readReadyLine(line);
    if (said === undefined) onLine(plan.name, line);
    else becameReady(said);
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
function readReadyLine(line: string): ReadyLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const said = JSON.parse(line) as { readonly event?: unknown };
    return said.event === 'ready' ? (said as ReadyLine) : undefined;
  } catch {
    return undefined;
  }
}
