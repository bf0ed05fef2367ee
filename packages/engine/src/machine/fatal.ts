import type { Cursor } from './cursor.ts';
import { forkStep } from './fork.ts';
import type { Failure, ForkRecord } from './records.ts';
import { isTolerated, isTrouble } from './tolerance.ts';

/**
 * Whether the failure of a child of this fork is certain to end the turn as failed: no fork and no loop around it
 * tolerates it. The turn ends later than it fails when other children have to end first.
 */
export function isFatal(cursor: Cursor, fork: ForkRecord, failure: Failure): boolean {
  const { program, turn } = cursor;
  for (let at = fork; ;) {
    if (isTolerated(forkStep(cursor, at), failure)) return false;
    const around = turn.scope(at.scope);
    if (around === undefined) throw new RangeError(`${at.key} has lost its scope`);
    for (const frame of around.frames) {
      const step = frame.kind === 'loop' ? program.lists[frame.list]?.[frame.index] : undefined;
      if (step !== undefined && isTolerated(step, failure)) return false;
    }
    const next = around.fork === null ? undefined : turn.fork(around.fork);
    if (next === undefined) return isTrouble(failure);
    at = next;
  }
}
