import { isBlank } from '../flow/white-space.ts';
import { refuseStep } from './messages.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';
import type { RawProfile, RawStep } from './shapes.ts';

/**
 * Fills the fields that an instruction step leaves unset from the profile it names (spec section 1).
 * `sampling` counts as one field: half of it from here and half from there would have to be looked up at every
 * debugging session. `tools: []` is set: it is the guard that says "no tools". 0 and "" are not.
 */
export function applyProfile(step: RawStep, profiles: ReadonlyMap<string, RawProfile>): RawStep {
  const profile = profiles.get(step.profile);
  if (profile === undefined || isBlank(step.instruction)) return step;
  return {
    ...step,
    model: step.model || profile.model,
    sampling: step.sampling ?? profile.sampling,
    tools: step.tools ?? profile.tools,
    max_calls: step.max_calls || profile.max_calls,
    max_tool_errors: step.max_tool_errors || profile.max_tool_errors,
    on_error: step.on_error || profile.on_error,
  };
}

/** Refuses a profile that does not exist, and one on a step that no model executes. */
export function refuseProfile(
  step: RawStep,
  profiles: ReadonlyMap<string, RawProfile>,
  report: Report,
): void {
  if (step.profile === '') return;
  if (!profiles.has(step.profile)) {
    const known = [...profiles.keys()].map(quoted).join(', ');
    const says = `the profile ${quoted(step.profile)} is not declared.`;
    const hint =
      known === ''
        ? 'Declare it under `workflow.profiles`.'
        : `Declared under \`workflow.profiles\`: ${known}.`;
    refuseStep(step, { code: 'PROFILE_UNKNOWN', says, hint, key: 'profile' }, report);
  } else if (isBlank(step.instruction)) {
    const says = `the profile ${quoted(step.profile)} stands on a step that no model executes.`;
    const hint = 'Profiles belong to steps with an `instruction`; remove it here.';
    refuseStep(step, { code: 'PROFILE_MISPLACED', says, hint, key: 'profile' }, report);
  }
}
