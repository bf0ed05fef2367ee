import { readWholeReference } from '../../flow/payload.ts';
import { trimSpace } from '../../flow/white-space.ts';
import type { Cursor } from '../cursor.ts';
import type { SwitchCode } from '../program.ts';
import type { StepEnd } from '../step-end.ts';

/** `switch`: reads the whole value, trimmed, and compares it with the text of the case keys (spec section 5). */
export function enterSwitch(cursor: Cursor, step: SwitchCode): StepEnd {
  const value = step.variable === null ? '' : trimSpace(readWholeReference(step.variable, cursor).text);
  if (cursor.suspended()) return 'wait';
  const chosen = step.cases.find((branch) => branch.value === value);
  const list = chosen?.list ?? step.defaultList;
  if (chosen === undefined && cursor.program.lists[list]?.length === 0) {
    cursor.row('degraded', `no case for ${JSON.stringify(shorten(value))}, and no default`);
    return 'done';
  }
  cursor.row('ok', chosen === undefined ? `default, for ${JSON.stringify(shorten(value))}` : shorten(value));
  return { frame: { kind: 'list', list, path: `${cursor.path}.${chosen?.segment ?? 'd'}.`, index: 0 } };
}

/** A reason is for people: a long value is cut. */
function shorten(value: string): string {
  return value.length > 200 ? `${value.slice(0, 200)}…` : value;
}
