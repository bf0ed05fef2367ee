import { isBlank } from '../flow/white-space.ts';
import { misplacedSampling, SAMPLING_HINT } from './check-sampling.ts';
import { offsetOf } from './messages.ts';
import { ERROR_POLICY_HINT, errorPolicyOf } from './policies.ts';
import { quoted } from './quoted.ts';
import type { Report, ValidationCode } from './report.ts';
import type { RawProfile } from './shapes.ts';

/** Checks the declared profiles (spec section 14), those that no step uses included. */
export function checkProfiles(profiles: ReadonlyMap<string, RawProfile>, report: Report): void {
  for (const [name, profile] of profiles) {
    const refuse = (code: ValidationCode, key: string, says: string, hint: string): void =>
      report.add({ code, message: `Profile ${quoted(name)}: ${says}`, hint, offset: offsetOf(profile, key) });

    if (isBlank(name))
      refuse(
        'PROFILE_WITHOUT_NAME',
        '',
        'the name of a profile must not be blank.',
        'Give it a name that steps can use.',
      );
    if (errorPolicyOf(profile.on_error) === undefined) {
      refuse(
        'ON_ERROR_UNKNOWN',
        'on_error',
        `\`on_error\` is ${quoted(profile.on_error)}, which does not exist.`,
        ERROR_POLICY_HINT,
      );
    }
    for (const key of ['max_calls', 'max_tool_errors'] as const) {
      const value = profile[key] ?? 0;
      if (value < 0)
        refuse(
          'NUMBER_OUT_OF_RANGE',
          key,
          `\`${key}\` is ${value}, below 0.`,
          'Write 0 for the default, or a higher number.',
        );
    }
    const misplaced = misplacedSampling(profile);
    if (misplaced[0]) {
      refuse(
        'SAMPLING_MISPLACED',
        misplaced[0],
        `${misplaced.map((key) => `\`${key}\``).join(', ')} must stand inside \`sampling\`.`,
        SAMPLING_HINT,
      );
    }
  }
}
