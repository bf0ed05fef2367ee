type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

const PAUSE_MS = 10;

/**
 * Waits for a condition instead of for a time.
 * A condition that throws counts as not yet true; its last error is the cause of the failure.
 * @param condition asked again after 10 ms, or after as long as it took: one that starts a process leaves others room
 * @param timeoutMs how long to go on asking
 * @param what names the condition in the failure
 * @returns what the condition gave when it became true
 * @throws Error when the time is over
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = 10_000,
  what = 'the condition',
): Promise<Truthy<T>> {
  const giveUpAtMs = Date.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    const askedAtMs = Date.now();
    try {
      const value = await condition();
      if (value) return value as Truthy<T>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() >= giveUpAtMs)
      throw new Error(`${what} did not come true in ${timeoutMs} ms`, { cause: lastError });
    const tookMs = Date.now() - askedAtMs;
    await new Promise((resolve) => setTimeout(resolve, Math.max(PAUSE_MS, tookMs)));
  }
}
