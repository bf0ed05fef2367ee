import { setTimeout as wait } from 'node:timers/promises';

/** Clock, chance and waiting, as an argument: what depends on them is tested without any of them. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** Resolves after so many milliseconds; rejects when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
};
