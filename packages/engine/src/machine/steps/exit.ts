import { SkillyardError } from '@skillyard/contracts';
import { expandTemplate, type Template } from '../../flow/template.ts';
import type { Cursor } from '../cursor.ts';
import type { ExitCode } from '../program.ts';
import type { StepEnd } from '../step-end.ts';

/** `exit`: the turn leaves the skill. Nobody can tolerate it (spec section 11). */
export function enterExit(cursor: Cursor, step: ExitCode): StepEnd {
  const reason = expandReason(cursor, step.reason);
  if (cursor.suspended()) return 'wait';
  return { failure: { kind: 'exit', code: 'EXIT', message: reason }, calls: 0, callsFailed: 0 };
}

/** If anything in the reason fails to resolve, all of it stays as written: an exit must not be lost to its wording. */
function expandReason(cursor: Cursor, template: Template): string {
  try {
    return expandTemplate(template, cursor, 'model').text;
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
    return template.source;
  }
}
