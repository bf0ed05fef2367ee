import type { InterruptSignal, Surroundings } from '../surroundings.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Child, type ChildEnd, startChild } from './child-process.ts';
import { renderLogLine } from './log-line.ts';
import type { ProcessPlan } from './system-processes.ts';

/** What is said of a system once it takes work. */
export interface SystemIntroduction {
  /** The address of Redis, fit to be shown. */
  readonly redis: string;
  /** How to get in; null where nobody is asked for a key. */
  readonly access: string | null;
}

/**
 * Runs the processes of a system until one ends or the user ends them.
 *
 * S1 Nothing is restarted: whoever runs this in earnest has a supervisor, and one who tries things out must see it die.
 * S2 When one process ends, the others are asked to end, and what ended first decides the exit code.
 * S3 A signal is passed on once; each process finishes what is under way. A second signal kills.
 * @returns the exit code: 0 after a signal, otherwise not 0
 */
export async function supervise(
  plans: readonly ProcessPlan[],
  introduction: SystemIntroduction,
  surroundings: Surroundings,
  terminal: Terminal,
): Promise<number> {
  const width = Math.max(...plans.map((plan) => plan.name.length));
  const children = plans.map((plan) =>
    startChild(plan, surroundings.env, (name, line) => printLine(terminal, name.padEnd(width), line)),
  );
  let asked: InterruptSignal | undefined;
  const stopListening = surroundings.onInterrupt((signal) => {
    if (asked !== undefined) {
      for (const child of children) child.signal('SIGKILL');
      surroundings.exitNow(EXIT.cancelled);
    }
    asked = signal;
    say(terminal, { event: 'stopping', signal }, `${signal}: stopping; once more to kill`);
    for (const child of children) child.signal('SIGTERM');
  });
  void Promise.all(children.map((child) => child.ready)).then((said) => {
    const apis = said.flatMap(({ http }) => (http === undefined ? [] : [http]));
    printReady(terminal, children, introduction, apis);
  });
  try {
    const first = await Promise.race(children.map((child) => child.ended));
    const wasAsked = asked !== undefined;
    if (!wasAsked) {
      say(terminal, { event: 'died', ...first }, `${first.name} ${howItEnded(first)}; stopping the others`);
      for (const child of children) child.signal('SIGTERM');
    }
    await Promise.all(children.map((child) => child.ended));
    say(terminal, { event: 'stopped' }, 'stopped');
    return wasAsked ? EXIT.completed : first.code || EXIT.failed;
  } finally {
    stopListening();
  }
}

function howItEnded({ code, signal }: ChildEnd): string {
  return code === null ? `was ended by ${signal ?? 'an unknown signal'}` : `ended with exit code ${code}`;
}

function printReady(
  terminal: Terminal,
  children: readonly Child[],
  { redis, access }: SystemIntroduction,
  apis: readonly string[],
): void {
  const processes = children.map(({ name, pid }) => ({ name, pid }));
  const names = children.map((child) => child.name).join(', ');
  say(terminal, { event: 'ready', redis, http: apis, processes }, `ready: ${names} on ${redis}`);
  if (terminal.json) return;
  for (const api of apis) terminal.out(`console: ${api}/`);
  if (access !== null) terminal.out(access);
}

/** What `serve` itself has to say: a line for people, or one JSON object a line. */
function say(terminal: Terminal, event: unknown, text: string): void {
  if (terminal.json) terminal.out(JSON.stringify(event));
  else terminal.out(text);
}

function printLine(terminal: Terminal, name: string, line: string): void {
  if (terminal.json) terminal.err(line);
  else terminal.err(`${terminal.colors.dim(name)} ${renderLogLine(line)}`);
}
