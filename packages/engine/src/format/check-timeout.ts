import { parseDurationMs } from '@skillyard/contracts';
import type { Located } from './field.ts';
import { refuseStep } from './messages.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';
import type { RawStep } from './shapes.ts';

/** Checks the `timeout` of a step or of its block (spec section 17): a number and one unit, more than nothing. */
export function checkTimeout(
  step: RawStep,
  block: Located & { readonly timeout: string },
  report: Report,
): void {
  if (block.timeout === '' || (parseDurationMs(block.timeout) ?? 0) > 0) return;
  refuseStep(
    step,
    {
      code: 'TIMEOUT_INVALID',
      says: `\`timeout\` is ${quoted(block.timeout)}, which is no time to wait.`,
      hint: 'Write a whole number and one unit: 500ms, 30s, 5m or 2h.',
      key: 'timeout',
      block,
    },
    report,
  );
}
