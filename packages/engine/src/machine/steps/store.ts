import { memHandle } from '../../flow/notes.ts';
import { expandTemplate } from '../../flow/template.ts';
import { isBlank } from '../../flow/white-space.ts';
import type { Cursor } from '../cursor.ts';
import type { CallCode, DelegateCode, InstructionCode } from '../program.ts';
import type { ScopeRecord } from '../records.ts';
import { type Failed, failed } from '../step-end.ts';

/** The variable a turn's answer is taken from. */
const ANSWER = 'answer';

/** Stores the result of a step that can answer, and notes who wrote the answer. */
export function store(
  cursor: Cursor,
  variable: string,
  text: string,
  author: Exclude<ScopeRecord['answeredBy'], ''>,
): void {
  if (variable === '') return;
  cursor.write(variable, text);
  if (author === 'call') {
    const handle = memHandle(text, cursor.vocabulary.truncationNotes);
    if (handle !== '') cursor.writeHandle(variable, handle);
  }
  if (variable === ANSWER) cursor.scope.answeredBy = author;
}

/** What is to be stored, after `on_empty` had its say. */
export type Judged =
  | { readonly text: string; readonly used: boolean }
  | { readonly failed: Failed }
  | 'retry'
  | 'wait';

/**
 * Applies `on_empty` to a result. Emptiness is judged on the value that would be stored.
 * @param calls, callsFailed what the row says if the step fails here: the calls were made
 * @throws SkillyardError REFERENCE_UNRESOLVED when `on_empty_value` does not resolve
 */
export function judgeEmpty(
  cursor: Cursor,
  step: InstructionCode | CallCode | DelegateCode,
  text: string,
  counts: { calls: number; callsFailed: number; attempt: number },
): Judged {
  if (!isBlank(text)) return { text, used: false };
  switch (step.onEmpty) {
    case 'continue':
      return { text, used: false };
    case 'use': {
      const value = step.onEmptyValue === null ? '' : expandTemplate(step.onEmptyValue, cursor, 'model').text;
      return cursor.suspended() ? 'wait' : { text: value, used: true };
    }
    case 'retry':
      // Only an instruction may be repeated; beside a delegate `retry` means what `fail` means (spec section 2).
      if (step.kind !== 'instruction') return { failed: emptyFailure('the result is empty', counts) };
      if (counts.attempt < step.onEmptyRetries) return 'retry';
      return {
        failed: emptyFailure(`${whatIsEmpty(step, 'still ')} after ${counts.attempt + 1} runs`, counts),
      };
    case 'fail':
      return { failed: emptyFailure(whatIsEmpty(step), counts) };
  }
}

function whatIsEmpty(step: InstructionCode | CallCode | DelegateCode, still = ''): string {
  const isChoice = step.kind === 'instruction' && step.oneOf !== null && step.oneOf.length > 0;
  return isChoice
    ? `the answer ${still}decides for none of ${step.oneOf.join(', ')}`
    : `the result is ${still}empty`;
}

function emptyFailure(message: string, counts: { calls: number; callsFailed: number }): Failed {
  return failed('STEP_EMPTY', message, { ...counts, outcome: 'degraded' });
}
