import { until } from '@skillyard/testing';
import type { RunningSystem } from '../src/system/running-system.ts';
import { type SystemPlace, withSystem } from './with-system.ts';

/** Longer than any step of a test takes on a slow machine. */
const PATIENCE_MS = 60_000;

/** Looks at a system until something is so. */
export async function lookUntil(
  place: SystemPlace,
  isSo: (system: RunningSystem) => Promise<boolean>,
  what: string,
): Promise<void> {
  await withSystem(place, (system) =>
    until(async () => (await isSo(system)) || undefined, PATIENCE_MS, what),
  );
}
