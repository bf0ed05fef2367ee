import { bounded } from '../../flow/bounds.ts';
import { readWhole } from '../../flow/payload.ts';
import { isBlank } from '../../flow/white-space.ts';
import type { Cursor } from '../cursor.ts';
import { childItem, closeFork, mergeWrites, openFork } from '../fork.ts';
import type { ParallelCode } from '../program.ts';
import type { Failure, ForkRecord, ItemRecord, ScopeRecord } from '../records.ts';
import type { StepEnd } from '../step-end.ts';
import { isTolerated } from '../tolerance.ts';

/** `parallel`: every branch works on its own copy of the variables, all at once. */
export function enterParallel(cursor: Cursor, step: ParallelCode): StepEnd {
  const total = step.branches.length;
  return openFork(cursor, { total, dropped: 0, picked: false, window: total });
}

/**
 * What a branch gives to `collect`: the variables in the order it first wrote them, whole and without notes
 * (spec section 13). Left out are blanks, handles, lists of skipped names and loop items.
 */
export function gatherBranch(cursor: Cursor, step: ParallelCode, branch: ScopeRecord): string {
  if (step.collect === '') return '';
  const pieces: string[] = [];
  for (const name of branch.order) {
    if (name.endsWith('.mem') || name.endsWith('.skipped') || branch.items.includes(name)) continue;
    const { text } = readWhole(branch.vars[name] ?? '', cursor);
    if (!isBlank(text)) pieces.push(text);
  }
  return pieces.join('\n\n');
}

/**
 * All branches have ended: merges them in declaration order. The first one, in that order, that ends the flow decides
 * how; the branches before it are merged, it and the later ones are not.
 */
export function joinParallel(cursor: Cursor, step: ParallelCode, fork: ForkRecord): StepEnd {
  const { scope } = cursor;
  const pieces: string[] = [];
  const skipped: string[] = [];
  let failedBranches = 0;
  let idle = 0;
  let note: Failure | null = null;
  let stop: Failure | null = null;
  for (let index = 0; index < fork.total && stop === null; index++) {
    const item = childItem(cursor, fork, index);
    skipped.push(...item.skipped);
    if (item.failure === null) {
      mergeWrites(cursor, item.writes);
      if (item.collected !== '') pieces.push(item.collected);
      if (isIdle(item)) idle++;
    } else if (isTolerated(step, item.failure)) {
      failedBranches++;
      note = item.failure;
    } else {
      stop = item.failure;
    }
  }
  scope.skipped.push(...skipped);
  closeFork(cursor, fork);
  if (stop !== null) return { failure: stop, calls: fork.total, callsFailed: 0 };

  if (step.collect !== '') {
    cursor.write(step.collect, bounded(pieces.join('\n\n')));
    if (skipped.length > 0) cursor.write(`${step.collect}.skipped`, skipped.join(', '));
  }
  if (note !== null) cursor.writeNote(step.saveAs, note);
  const allIdle = idle === fork.total;
  const reason =
    failedBranches > 0
      ? `${failedBranches} of ${fork.total} branches failed`
      : allIdle
        ? 'every branch was skipped'
        : `${fork.total} branches`;
  cursor.row(failedBranches > 0 || allIdle ? 'degraded' : 'ok', reason, fork.total, 0);
  return 'done';
}

/** A branch that skipped something and wrote nothing did not run; an empty one did. */
function isIdle(item: ItemRecord): boolean {
  return item.skipped.length > 0 && item.writes?.order.length === 0;
}
