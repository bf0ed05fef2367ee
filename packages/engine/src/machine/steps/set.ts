import { expandTemplate } from '../../flow/template.ts';
import type { Cursor } from '../cursor.ts';
import type { SetCode } from '../program.ts';
import type { StepEnd } from '../step-end.ts';

/** `set`: a variable takes the expanded text, notes included (spec section 6). */
export function enterSet(cursor: Cursor, step: SetCode): StepEnd {
  const value = expandTemplate(step.value, cursor, 'model').text;
  if (cursor.suspended()) return 'wait';
  cursor.write(step.variable, value);
  cursor.row('ok');
  return 'done';
}
