import { refuseStep } from './messages.ts';
import { quoted } from './quoted.ts';
import { walkRaw } from './raw-nesting.ts';
import type { Report } from './report.ts';
import type { RawStep } from './shapes.ts';

/**
 * Keys beside a block (spec section 2). Authors write `save_as` or `on_error` on the step where the format wants it
 * inside the block, and mean the same. What the block says itself wins.
 */

type Keys = Readonly<Record<string, string>>;

/** Which keys of the step belong to which of its blocks. */
const MOVES = [
  ['call', ['save_as', 'on_error', 'on_empty', 'on_empty_value', 'timeout']],
  ['delegate', ['save_as', 'on_error', 'on_empty', 'on_empty_value', 'timeout']],
  ['ask', ['save_as', 'on_error', 'timeout']],
  // Their save_as stays where it is: it receives the note of a failure and nothing else.
  ['for_each', ['on_error']],
  ['parallel', ['on_error']],
] as const;

/** Moves step-level keys into the block where they belong. The nested steps are not touched. */
export function moveKeys(step: RawStep): RawStep {
  let result = step;
  for (const [kind, keys] of MOVES) {
    const block: Keys | null = result[kind] as Keys | null;
    const moved = block === null ? [] : keys.filter((key) => block[key] === '' && result[key] !== '');
    if (moved.length === 0) continue;
    const beside = Object.fromEntries(moved.map((key) => [key, result[key]]));
    const cleared = Object.fromEntries(moved.map((key) => [key, '']));
    result = Object.assign({ ...result }, cleared, { [kind]: Object.assign({ ...block }, beside) });
  }
  return result;
}

/** Refuses a call whose step and block name two different targets or two meanings of emptiness. */
export function refuseContradictions(steps: readonly RawStep[], report: Report): void {
  for (const step of walkRaw(steps)) {
    const outer: Keys = { save_as: step.save_as, on_empty: step.on_empty };
    const inner: Keys = { save_as: step.call?.save_as ?? '', on_empty: step.call?.on_empty ?? '' };
    for (const key of Object.keys(outer)) {
      const [beside, inside] = [outer[key] ?? '', inner[key] ?? ''];
      if (beside === '' || inside === '' || beside === inside) continue;
      refuseStep(
        step,
        {
          code: 'KEY_GIVEN_TWICE',
          says: `\`${key}\` is ${quoted(beside)} on the step and ${quoted(inside)} inside \`call\`.`,
          hint: 'Keep the one inside `call`.',
          key,
        },
        report,
      );
    }
  }
}
