import { moveKeys } from './fold-keys.ts';
import { applyProfile, refuseProfile } from './fold-profiles.ts';
import { mapNestedRaw } from './raw-nesting.ts';
import type { Report } from './report.ts';
import type { RawProfile, RawStep } from './shapes.ts';

/**
 * The steps as they will run: keys moved into their blocks, then profiles put in, at every depth (spec section 1).
 * Everything after this, the checks of steps included, looks at the folded form only.
 */
export function foldSteps(
  steps: readonly RawStep[],
  profiles: ReadonlyMap<string, RawProfile>,
  report: Report,
): readonly RawStep[] {
  return steps.map((step) => {
    refuseProfile(step, profiles, report);
    const folded = applyProfile(moveKeys(step), profiles);
    return mapNestedRaw(folded, (list) => foldSteps(list, profiles, report));
  });
}
