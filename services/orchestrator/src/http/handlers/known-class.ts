import { SkillyardError } from '@skillyard/contracts';

/**
 * Looks whether there is a class.
 * @param classes those of the configuration
 * @throws SkillyardError QUEUE_UNKNOWN
 */
export function requireClass(workerClass: string, classes: readonly string[]): void {
  if (classes.includes(workerClass)) return;
  const message = `The configuration has no class "${workerClass}"; it has ${classes.join(', ')}.`;
  throw new SkillyardError('QUEUE_UNKNOWN', message, { details: { class: workerClass } });
}
