import { expandTemplate } from '../../flow/template.ts';
import type { Cursor } from '../cursor.ts';
import type { CallCode, InstructionCode } from '../program.ts';

/** The server that `on_server` comes to at run time; undefined when the step has none. */
export function chosenServer(cursor: Cursor, step: InstructionCode | CallCode): string | undefined {
  return step.onServer === null ? undefined : expandTemplate(step.onServer, cursor, 'model').text;
}
