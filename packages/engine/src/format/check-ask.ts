import { isBlank } from '../flow/white-space.ts';
import { checkOnError, requireText } from './check-blocks.ts';
import { checkTimeout } from './check-timeout.ts';
import { refuseStep } from './messages.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';
import type { RawStep } from './shapes.ts';

/** Checks a question to a person (spec section 17). */
export function checkAsk(step: RawStep, report: Report): void {
  const { ask } = step;
  if (!ask) return;
  requireText(
    step,
    ask,
    ['ask', 'question', 'Write what the person is asked; {{name}} works there.'],
    report,
  );
  for (const option of ask.options ?? []) {
    requireText(
      step,
      option,
      ['ask.options', 'value', 'Give every option the value that is stored when it is chosen.'],
      report,
    );
  }
  checkOnError(step, ask, report);
  checkTimeout(step, ask, report);

  const refuse = (key: string, says: string, hint: string): void =>
    refuseStep(step, { code: 'ON_TIMEOUT_INVALID', says, hint, key, block: ask }, report);
  const hasValue = !isBlank(ask.on_timeout_value);
  if (!['', 'fail', 'use'].includes(ask.on_timeout)) {
    refuse(
      'on_timeout',
      `\`on_timeout\` is ${quoted(ask.on_timeout)}, which does not exist.`,
      'Write fail or use.',
    );
  }
  if (ask.on_timeout === 'use' && !hasValue) {
    refuse(
      'on_timeout',
      '`on_timeout: use` has no `on_timeout_value` to use.',
      'Write the answer to take as `on_timeout_value:`.',
    );
  }
  if (ask.on_timeout !== 'use' && hasValue) {
    refuse(
      'on_timeout_value',
      '`on_timeout_value` is never used without `on_timeout: use`.',
      'Add `on_timeout: use`, or remove the value.',
    );
  }
}
