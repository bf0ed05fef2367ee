import type { Supervised } from '../supervised.ts';

/** A process that may be killed, and what it is called in the report. */
export interface Victim {
  readonly name: string;
  readonly process: Supervised;
}

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Kills one of the processes at random every few seconds, the first one soon.
 * @param everyMs on average
 */
export function startKiller(
  victims: readonly Victim[],
  everyMs: number,
  random: () => number,
): { readonly kills: ReadonlyMap<string, number>; stop(): Promise<void> } {
  const kills = new Map<string, number>(victims.map(({ name }) => [name, 0]));
  let timer: NodeJS.Timeout | undefined;
  let killing: Promise<void> = Promise.resolve();
  const kill = async (): Promise<void> => {
    const victim = victims[Math.floor(random() * victims.length)];
    if (victim === undefined) return;
    await victim.process.ready();
    await victim.process.kill();
    kills.set(victim.name, (kills.get(victim.name) ?? 0) + 1);
  };
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        killing = kill();
        void killing.then(schedule);
      },
      everyMs * (0.5 + random()),
    );
  };
  schedule();
  return {
    kills,
    stop: async () => {
      await killing;
      clearTimeout(timer);
    },
  };
}
