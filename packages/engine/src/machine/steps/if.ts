import { evaluateCondition } from '../../flow/condition.ts';
import type { Cursor } from '../cursor.ts';
import type { IfCode } from '../program.ts';
import type { StepEnd } from '../step-end.ts';

/** `if`: traced before the steps of the branch it takes. */
export function enterIf(cursor: Cursor, step: IfCode): StepEnd {
  const holds = evaluateCondition(step.cond, cursor);
  if (cursor.suspended()) return 'wait';
  cursor.row('ok', holds ? 'the condition holds: then' : 'the condition does not hold: else');
  const list = holds ? step.thenList : step.elseList;
  return { frame: { kind: 'list', list, path: `${cursor.path}.${holds ? 't' : 'e'}.`, index: 0 } };
}
