/** The first pause is shorter than this. */
const FIRST_MS = 250;
const LONGEST_BACKOFF_MS = 10_000;

/**
 * How long to wait before the next attempt.
 * Full jitter: clients that an outage stopped at once do not come back at once.
 * @param attempt 1-based number of the attempt that failed
 * @param retryAfter the header of the reply: seconds or a date, which count more than what we think (RFC 9110, 10.2.3)
 * @returns milliseconds
 */
export function pauseMs(attempt: number, retryAfter: string | null): number {
  const asked = retryAfter === null ? Number.NaN : readRetryAfter(retryAfter);
  if (!Number.isNaN(asked)) return Math.max(0, asked);
  return Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_MS * 2 ** (attempt - 1));
}

function readRetryAfter(text: string): number {
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
}

/**
 * Waits.
 * @throws the reason of the signal when that is given meanwhile
 */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
