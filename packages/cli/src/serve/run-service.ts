import type { InterruptSignal, Surroundings } from '../surroundings.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A service that runs in this process. */
export interface Service<Running extends { close(): Promise<void> }> {
  /** As its ready line calls it. */
  readonly role: string;
  start(): Promise<Running>;
  /** What else the ready line says. */
  details(running: Running): Readonly<Record<string, unknown>>;
}

/**
 * Runs a service until a signal asks it to end. It takes nothing more then, and finishes what is under way or hands it
 * back; a second signal ends the process at once.
 * @returns the exit code
 */
export async function runService<Running extends { close(): Promise<void> }>(
  service: Service<Running>,
  surroundings: Surroundings,
  terminal: Terminal,
): Promise<number> {
  const { role } = service;
  let ask: (signal: InterruptSignal) => void = () => {};
  let asked = false;
  const end = new Promise<InterruptSignal>((resolve) => {
    ask = resolve;
  });
  const stopListening = surroundings.onInterrupt((signal) => {
    if (asked) surroundings.exitNow(EXIT.cancelled);
    asked = true;
    ask(signal);
  });
  try {
    const running = await service.start();
    const details = service.details(running);
    if (terminal.json) terminal.out(JSON.stringify({ event: 'ready', role, ...details }));
    else terminal.out(`ready: ${role} ${Object.values(details).flat().join(', ')}`.trimEnd());
    const signal = await end;
    if (terminal.json) terminal.out(JSON.stringify({ event: 'stopping', signal }));
    else terminal.out(`${signal}: stopping; once more to end at once`);
    await running.close();
    return EXIT.completed;
  } finally {
    stopListening();
  }
}
