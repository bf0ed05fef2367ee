import { writeSync } from 'node:fs';

/** What Node ends with when a top-level `await` can never go on. */
const NOTHING_LEFT_TO_WAIT_FOR = 13;

/**
 * Node ends a process without a word when nothing can wake what it waits for, as an action whose promise is never settled.
 * Until it is called off, that is told as any other error.
 * @returns calls it off
 */
export function tellIfStuck(): () => void {
  const tell = (): void => {
    // Node sets it in a listener of its own, after the code of the event.
    if (process.exitCode !== NOTHING_LEFT_TO_WAIT_FOR) return;
    writeSync(
      2,
      'error: the skill waits for something that can never happen: a promise of it is never settled; look at its actions and at what it awaits when it is loaded\n',
    );
    process.exitCode = 1;
  };
  process.on('exit', tell);
  return () => void process.off('exit', tell);
}
