import { isBlank } from '../flow/white-space.ts';
import type { Located } from './field.ts';
import { refuseStep, type StepProblem } from './messages.ts';
import { EMPTY_POLICY_HINT, emptyPolicyOf, MAX_EMPTY_RETRIES } from './policies.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';
import type { RawStep } from './shapes.ts';

/** A block, or a step of a model, with what it says about a blank result. */
interface EmptyKeys extends Located {
  readonly on_empty: string;
  readonly on_empty_value: string;
}

/** Checks `on_empty` and its value on an instruction or inside a call (spec section 14). */
export function checkEmptyPolicy(step: RawStep, block: EmptyKeys, report: Report): void {
  const refuse = (code: StepProblem['code'], key: string, says: string, hint: string): void =>
    refuseStep(step, { code, says, hint, key, block }, report);

  if (emptyPolicyOf(block.on_empty) === undefined) {
    refuse(
      'ON_EMPTY_UNKNOWN',
      'on_empty',
      `\`on_empty\` is ${quoted(block.on_empty)}, which does not exist.`,
      EMPTY_POLICY_HINT,
    );
  }
  const hasValue = !isBlank(block.on_empty_value);
  if (block.on_empty === 'use' && !hasValue) {
    const says = '`on_empty: use` has no `on_empty_value` to use.';
    refuse(
      'ON_EMPTY_VALUE_MISSING',
      'on_empty',
      says,
      'Write the text to store instead as `on_empty_value:`.',
    );
  }
  if (block.on_empty !== 'use' && hasValue) {
    const says = '`on_empty_value` is never used without `on_empty: use`.';
    refuse('ON_EMPTY_VALUE_UNUSED', 'on_empty_value', says, 'Add `on_empty: use`, or remove the value.');
  }
}

/** Checks how often a step of a model is run again; 0 is unset. */
export function checkEmptyRetries(step: RawStep, report: Report): void {
  const retries = step.on_empty_retries ?? 0;
  const refuse = (says: string, hint: string): void =>
    refuseStep(step, { code: 'ON_EMPTY_RETRIES_INVALID', says, hint, key: 'on_empty_retries' }, report);

  if (retries !== 0 && step.on_empty !== 'retry') {
    refuse(
      `\`on_empty_retries: ${retries}\` does nothing without \`on_empty: retry\`.`,
      'Add `on_empty: retry`, or remove the number.',
    );
  }
  if (retries < 0 || retries > MAX_EMPTY_RETRIES) {
    refuse(
      `\`on_empty_retries\` is ${retries}, outside 1 to ${MAX_EMPTY_RETRIES}.`,
      `Write a number from 1 to ${MAX_EMPTY_RETRIES}.`,
    );
  }
}

/** A call is never repeated: what it did the first time would be done twice. */
export function refuseRetryOfCall(step: RawStep, block: EmptyKeys, report: Report): void {
  if (block.on_empty !== 'retry') return;
  refuseStep(
    step,
    {
      code: 'ON_EMPTY_RETRY_ON_CALL',
      says: '`on_empty: retry` does not exist for a call, which is never repeated.',
      hint: 'Write `on_empty: fail`, or `use` with a value.',
      key: 'on_empty',
      block,
    },
    report,
  );
}
