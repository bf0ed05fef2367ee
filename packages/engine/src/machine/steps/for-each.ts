import type { LoopPlan } from '@skillyard/contracts';
import { bounded } from '../../flow/bounds.ts';
import { readCollection } from '../../flow/collection.ts';
import { readWhole, readWholeReference } from '../../flow/payload.ts';
import { trimSpace } from '../../flow/white-space.ts';
import type { Cursor } from '../cursor.ts';
import { childItem, closeFork, mergeWrites, openFork } from '../fork.ts';
import { startItem } from '../loop-item.ts';
import { planLoop } from '../loop-plan.ts';
import type { ForEachCode } from '../program.ts';
import type { Failure, ForkRecord, LoopFrame } from '../records.ts';
import type { StepEnd } from '../step-end.ts';
import { isTolerated, isTrouble } from '../tolerance.ts';
import { itemKey, loopKey } from '../turn.ts';

/** What a loop comes to, whichever way it was walked. */
interface Walked {
  readonly total: number;
  readonly dropped: number;
  readonly picked: boolean;
  readonly failed: number;
  readonly note: Failure | null;
  readonly pieces: readonly string[];
}

/**
 * `for_each`: the collection is read once; iterations run in order inside the scope, or at once in scopes of their own
 * where nobody could tell the difference (spec section 12, ADR 0003).
 */
export function enterForEach(cursor: Cursor, step: ForEachCode): StepEnd {
  const text = readSource(cursor, step);
  if (cursor.suspended()) return 'wait';
  const { items, picked } = readCollection(step.in, text);
  const total = Math.min(items.length, step.maxIterations);
  const shape = { total, dropped: items.length - total, picked };
  const plan = planLoop(step, cursor.turn.header.settings);
  if (total === 0) {
    return finishLoop(cursor, step, { ...shape, failed: 0, note: null, pieces: [] }, cursor.nowMs);
  }
  cursor.turn.add({ key: loopKey(cursor.path), items: items.slice(0, total) });
  if (plan.concurrency > 1 && total > 1) return openFork(cursor, { ...shape, window: plan.concurrency });
  const { list, index } = cursor.position();
  const startedAtMs = cursor.scope.step?.startedAtMs ?? cursor.nowMs;
  const skippedBefore = cursor.scope.skipped.length;
  return {
    frame: {
      kind: 'loop',
      list,
      index,
      path: cursor.path,
      startedAtMs,
      ...shape,
      skippedBefore,
      item: -1,
      failed: 0,
      note: null,
    },
  };
}

function readSource(cursor: Cursor, step: ForEachCode): string {
  if (step.source !== null) return readWholeReference(step.source, cursor).text;
  return readWhole(cursor.variable(step.in) ?? '', cursor).text;
}

/**
 * Goes on with a loop that is walked in order: keeps what the last iteration gathered, starts the next or ends the loop.
 * @returns `next` when an iteration began, `wait` when what was gathered is held by handle and must be read first
 */
export function stepLoop(cursor: Cursor, step: ForEachCode, frame: LoopFrame): StepEnd | 'next' {
  if (frame.item >= 0) {
    const piece = gatherItem(cursor, step);
    if (cursor.suspended()) return 'wait';
    keepItem(cursor, frame, piece);
  }
  return nextItem(cursor, step, frame);
}

/** What an iteration leaves in `collect`: whole, without notes, trimmed; empty when there is nothing. */
export function gatherItem(cursor: Cursor, step: ForEachCode): string {
  if (step.collect === '') return '';
  return trimSpace(readWhole(cursor.variable(step.collect) ?? '', cursor).text);
}

/** An iteration failed and the loop tolerates it. */
export function failItem(
  cursor: Cursor,
  step: ForEachCode,
  frame: LoopFrame,
  failure: Failure,
): StepEnd | 'next' {
  frame.failed++;
  frame.note = failure;
  keepItem(cursor, frame, '');
  return nextItem(cursor, step, frame);
}

/** Moves what an iteration left out of the scope, so that the scope does not grow with the loop. */
function keepItem(cursor: Cursor, frame: LoopFrame, collected: string): void {
  const skipped = cursor.scope.skipped.splice(frame.skippedBefore);
  if (collected === '' && skipped.length === 0) return;
  const key = itemKey(`${frame.path}.i${frame.item}`);
  cursor.turn.add({ key, collected, skipped, failure: null, writes: null });
}

function nextItem(cursor: Cursor, step: ForEachCode, frame: LoopFrame): StepEnd | 'next' {
  cursor.turn.touch(cursor.scope);
  frame.item++;
  if (frame.item >= frame.total) {
    const pieces = closeLoop(cursor, frame);
    return finishLoop(cursor, step, { ...frame, pieces }, frame.startedAtMs);
  }
  startItem(cursor, step, cursor.turn.loop(frame.path)?.items[frame.item] ?? '');
  cursor.scope.frames.push({
    kind: 'list',
    list: step.body,
    path: `${frame.path}.i${frame.item}.`,
    index: 0,
  });
  return 'next';
}

/**
 * Takes the records of a loop back into its scope.
 * @returns what its iterations gathered, in order
 */
export function closeLoop(cursor: Cursor, frame: LoopFrame): string[] {
  const pieces: string[] = [];
  const skippedNow = cursor.scope.skipped.splice(frame.skippedBefore);
  for (let index = 0; index < frame.total; index++) {
    const item = cursor.turn.item(`${frame.path}.i${index}`);
    if (item === undefined) continue;
    if (item.collected !== '') pieces.push(item.collected);
    cursor.scope.skipped.push(...item.skipped);
    cursor.turn.remove(item.key);
  }
  cursor.scope.skipped.push(...skippedNow);
  cursor.turn.remove(loopKey(frame.path));
  return pieces;
}

/** All iterations that count have ended: merges them in order, as if they had run one after the other. */
export function joinLoop(cursor: Cursor, step: ForEachCode, fork: ForkRecord): StepEnd {
  const pieces: string[] = [];
  let failedItems = 0;
  let note: Failure | null = null;
  let stop: Failure | null = null;
  for (let index = 0; index < fork.limit && stop === null; index++) {
    const item = childItem(cursor, fork, index);
    mergeWrites(cursor, item.writes);
    cursor.scope.skipped.push(...item.skipped);
    if (item.collected !== '') pieces.push(item.collected);
    if (item.failure === null) continue;
    if (!isTolerated(step, item.failure)) stop = item.failure;
    failedItems++;
    note = item.failure;
  }
  closeFork(cursor, fork);
  if (stop !== null) return stopped(step, fork, stop);
  return finishLoop(cursor, step, { ...fork, failed: failedItems, note, pieces }, fork.startedAtMs);
}

function stopped(step: ForEachCode, fork: ForkRecord, failure: Failure): StepEnd {
  const early = fork.next - fork.limit;
  const tail = step.concurrency > 0 && early > 0 ? ` (${early} later iterations had been started)` : '';
  const message = isTrouble(failure) ? `${failure.message}${tail}` : failure.message;
  return { failure: { ...failure, message }, calls: fork.total, callsFailed: 0 };
}

function finishLoop(cursor: Cursor, step: ForEachCode, walked: Walked, startedAtMs: number): StepEnd {
  const all = walked.total + walked.dropped;
  if (step.collect !== '') {
    let text = walked.pieces.join('\n\n');
    if (walked.dropped > 0) text += `\n\nOnly the first ${walked.total} of ${all} items were processed.`;
    cursor.write(step.collect, bounded(text));
  }
  if (walked.note !== null) cursor.writeNote(step.saveAs, walked.note);
  const troubles: string[] = [];
  if (walked.failed > 0) troubles.push(`${walked.failed} of ${walked.total} iterations failed`);
  if (walked.dropped > 0) troubles.push(`stopped at the ceiling: ${walked.total} of ${all} items`);
  if (walked.picked) troubles.push(`"${step.in}" is an object: walked the one list inside it`);
  cursor.emitRow(step, cursor.path, {
    outcome: troubles.length > 0 ? 'degraded' : 'ok',
    reason: troubles.length > 0 ? troubles.join('; ') : `${walked.total} of ${all} items`,
    calls: walked.total,
    startedAtMs,
    loop: loopPlan(cursor, step),
  });
  return 'done';
}

export function loopPlan(cursor: Cursor, step: ForEachCode): LoopPlan {
  return planLoop(step, cursor.turn.header.settings);
}
