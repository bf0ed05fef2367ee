import type { Cursor } from './cursor.ts';
import type { ForEachCode } from './program.ts';

/** Writes the item and empties `collect`, in that order: `collect` may bear the item's name. */
export function startItem(cursor: Cursor, step: ForEachCode, item: string): void {
  cursor.write(step.as, item);
  cursor.markItem(step.as);
  if (step.collect !== '') cursor.write(step.collect, '');
}
