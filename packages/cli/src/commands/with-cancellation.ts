import { SkillyardError } from '@skillyard/contracts';
import type { Surroundings } from '../surroundings.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { TimeLimit } from './context.ts';

/**
 * Does work that Ctrl-C, SIGTERM or a time limit cancels by signal. A second Ctrl-C ends the process at once.
 */
export async function withCancellation<T>(
  surroundings: Surroundings,
  limit: TimeLimit | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stopListening = surroundings.onInterrupt((signal) => {
    if (controller.signal.aborted) surroundings.exitNow(EXIT.cancelled);
    const message = signal === 'SIGINT' ? 'interrupted by Ctrl-C' : `interrupted by ${signal}`;
    controller.abort(new SkillyardError('TURN_CANCELLED', message));
  });
  const timer =
    limit &&
    setTimeout(() => {
      const message = `it took longer than --timeout ${limit.text}`;
      controller.abort(new SkillyardError('TURN_CANCELLED', message));
    }, limit.ms);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}
