import { type RawProfile, type RawStep, SAMPLING } from './shapes.ts';

export const SAMPLING_HINT = 'Write it one level deeper: sampling: {temperature: 0}.';

/**
 * The sampling keys that stand beside `sampling` instead of inside it (spec section 14). There they would do nothing,
 * and the author would never learn it. `temperature: 0` is set; an empty `reasoning` is not.
 */
export function misplacedSampling(block: RawStep | RawProfile): readonly string[] {
  return (Object.keys(SAMPLING) as (keyof typeof SAMPLING)[]).filter(
    (key) => block[key] !== null && block[key] !== '',
  );
}
