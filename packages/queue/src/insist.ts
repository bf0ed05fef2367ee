const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/**
 * Does something on Redis until it succeeds: for what must not be lost while Redis is away, full or busy.
 * @param onFailure told of every failure
 */
export async function insist<T>(work: () => Promise<T>, onFailure: (error: Error) => void): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      onFailure(error instanceof Error ? error : new Error(String(error)));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
