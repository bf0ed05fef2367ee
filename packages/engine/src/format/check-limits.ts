import { offsetOf } from './messages.ts';
import type { Report } from './report.ts';
import { LIMITS, type RawWorkflow } from './shapes.ts';

/**
 * Checks the ceilings of a turn (spec section 17); 0 means none.
 * @param where the key they stand under, as messages name it
 */
export function checkLimits(limits: RawWorkflow['limits'], where: string, report: Report): void {
  if (limits === null) return;
  for (const key of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
    const value = limits[key] ?? 0;
    if (value >= 0) continue;
    report.add({
      code: 'NUMBER_OUT_OF_RANGE',
      message: `\`${where}.${key}\` is ${value}, below 0.`,
      hint: 'Write the ceiling of a whole turn, or leave it out for none.',
      offset: offsetOf(limits, key),
    });
  }
}
