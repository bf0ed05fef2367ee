import type { SkillyardError } from '@skillyard/contracts';

/**
 * Runs work under a time limit as well as the caller's signal.
 * @param late what is thrown when the time is over before the work is
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  timeoutMs: number,
  late: SkillyardError,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(late), timeoutMs);
  const passOn = (): void => limit.abort(signal.reason);
  signal.addEventListener('abort', passOn, { once: true });
  try {
    return await work(limit.signal);
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted) throw late;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', passOn);
  }
}
