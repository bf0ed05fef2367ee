import { connect } from '@skillyard/queue';
import { until } from '@skillyard/testing';
import { redisSystem } from '../src/system/redis-system.ts';
import type { RunningSystem } from '../src/system/running-system.ts';

/** Longer than any step of a test takes on a slow machine. */
const PATIENCE_MS = 60_000;

/**
 * Looks at a system, as commands do, until something is so. In this process: a command for every look would keep the
 * machine from what is waited for.
 * @param place of the system: its Redis, and the prefix of its keys
 */
export async function lookUntil(
  place: { readonly url: string; readonly prefix: string },
  isSo: (system: RunningSystem) => Promise<boolean>,
  what: string,
): Promise<void> {
  const connection = await connect({ ...place, whenAway: 'fail' });
  try {
    const system = redisSystem(connection);
    await until(async () => (await isSo(system)) || undefined, PATIENCE_MS, what);
  } finally {
    await connection.close();
  }
}
