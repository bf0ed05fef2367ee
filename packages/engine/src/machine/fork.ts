/**
 * Scopes that run at once: the branches of a parallel step, the iterations of a loop that fans out.
 *
 * F1 A child reads through to the scope around it, which waits and does not change, and writes only into itself.
 * F2 Children start in order, at most `window` at a time, and never at or beyond `limit`.
 * F3 Children are merged in order when the last one that counts has ended, whatever order they ended in.
 */
import type { Cursor } from './cursor.ts';
import { startItem } from './loop-item.ts';
import type { ForEachCode, ParallelCode } from './program.ts';
import type { Failure, ForkRecord, ItemRecord, ScopeRecord, ScopeWrites } from './records.ts';
import type { StepEnd } from './step-end.ts';
import { isTolerated } from './tolerance.ts';
import { dictionary, forkKey, itemKey, loopKey, scopeKey } from './turn.ts';

/** Starts the children of the current step. */
export function openFork(
  cursor: Cursor,
  shape: { total: number; dropped: number; picked: boolean; window: number },
): StepEnd {
  const { list, index } = cursor.position();
  const startedAtMs = cursor.scope.step?.startedAtMs ?? cursor.nowMs;
  const fork: ForkRecord = {
    key: forkKey(cursor.path),
    path: cursor.path,
    scope: cursor.scope.path,
    list,
    index,
    startedAtMs,
    ...shape,
    next: 0,
    open: 0,
    limit: shape.total,
  };
  cursor.state().stage = 'join';
  cursor.turn.add(fork);
  fillFork(cursor, fork);
  return 'wait';
}

/** Starts children while there are some to start and places for them. */
function fillFork(cursor: Cursor, fork: ForkRecord): void {
  const current = cursor.scope;
  const around = cursor.turn.scope(fork.scope);
  const step = forkStep(cursor, fork);
  while (fork.next < fork.limit && fork.open < fork.window) {
    const index = fork.next++;
    fork.open++;
    const path = childPath(fork, step, index);
    const isBranch = step.kind === 'parallel';
    const list = isBranch ? (step.branches[index] ?? 0) : step.body;
    const scope = newScope(path, list, {
      fork: fork.key,
      path: fork.scope,
      branch: isBranch || around?.branch === true,
    });
    cursor.turn.add(scope);
    cursor.ready.push(scope);
    if (isBranch) continue;
    cursor.scope = scope;
    startItem(cursor, step, cursor.turn.loop(fork.path)?.items[index] ?? '');
  }
  cursor.scope = current;
  cursor.turn.touch(fork);
}

/** A scope at the start of a list, below another one or as the root. */
export function newScope(
  path: string,
  list: number,
  around: { fork: string; path: string; branch: boolean } | null,
): ScopeRecord {
  return {
    key: scopeKey(path),
    path,
    parent: around?.path ?? null,
    fork: around?.fork ?? null,
    branch: around?.branch ?? false,
    vars: dictionary(),
    order: [],
    items: [],
    answeredBy: '',
    skipped: [],
    frames: [{ kind: 'list', list, path: path === '' ? '' : `${path}.`, index: 0 }],
    step: null,
    open: [],
    needs: null,
    asking: null,
    asked: 0,
  };
}

function childPath(fork: ForkRecord, step: ForEachCode | ParallelCode, index: number): string {
  return `${fork.path}.${step.kind === 'parallel' ? 'b' : 'i'}${index}`;
}

/** What a finished child left, in its place. */
export function childItem(
  cursor: Cursor,
  fork: ForkRecord,
  index: number,
): ItemRecord & { writes: ScopeWrites } {
  const path = childPath(fork, forkStep(cursor, fork), index);
  const item = cursor.turn.item(path);
  if (item === undefined || item.writes === null) throw new RangeError(`${path} left nothing behind`);
  return item as ItemRecord & { writes: ScopeWrites };
}

/** The place of a child among its siblings, from its path. */
export function childIndex(path: string): number {
  return Number(path.slice(path.lastIndexOf('.') + 2));
}

/**
 * Notes that a child has ended, and starts the next one.
 * @returns true when all children that count have ended: the step can be joined
 */
export function endChild(
  cursor: Cursor,
  child: ScopeRecord,
  fork: ForkRecord,
  collected: string,
  failure: Failure | null,
): boolean {
  const { vars, order, items, answeredBy } = child;
  const key = itemKey(child.path);
  cursor.turn.add({
    key,
    collected,
    skipped: child.skipped,
    failure,
    writes: { vars, order, items, answeredBy },
  });
  cursor.turn.remove(child.key);
  fork.open--;
  const step = forkStep(cursor, fork);
  if (failure !== null && step.kind === 'for_each' && !isTolerated(step, failure)) {
    cutFork(cursor, fork, childIndex(child.path) + 1);
  }
  fillFork(cursor, fork);
  return fork.open === 0 && fork.next >= fork.limit;
}

/** The sequential run would not have come to the children from `limit` on: withdraws them and their rows. */
function cutFork(cursor: Cursor, fork: ForkRecord, limit: number): void {
  if (limit >= fork.limit) return;
  const end = Math.min(fork.next, fork.limit);
  for (let index = limit; index < end; index++) {
    const path = `${fork.path}.i${index}`;
    if (cursor.turn.scope(path) !== undefined) fork.open--;
    for (const scope of cursor.turn.scopesBelow(path)) cursor.withdraw(scope);
    cursor.turn.removeBelow(path);
    cursor.advance.events.push({ type: 'steps.discarded', path, atMs: cursor.nowMs });
  }
  fork.limit = limit;
}

/** Writes into the current scope what a child wrote, in the order it first wrote it. */
export function mergeWrites(cursor: Cursor, writes: ScopeWrites): void {
  const { scope } = cursor;
  for (const name of writes.order) {
    const value = writes.vars[name] ?? null;
    const handle = writes.vars[`${name}.mem`];
    if (value === null) {
      if (cursor.variable(name) !== undefined) cursor.put(scope, name, null);
    } else if (handle === undefined) {
      cursor.write(name, value);
    } else {
      cursor.put(scope, name, value);
    }
  }
  for (const name of writes.order) {
    const at = scope.items.indexOf(name);
    if (at >= 0) scope.items.splice(at, 1);
  }
  for (const name of writes.items) cursor.markItem(name);
  if (writes.answeredBy !== '') scope.answeredBy = writes.answeredBy;
  cursor.turn.touch(scope);
}

/** Removes the records of a fork that has been joined. */
export function closeFork(cursor: Cursor, fork: ForkRecord): void {
  const step = forkStep(cursor, fork);
  for (let index = 0; index < fork.next; index++) cursor.turn.remove(itemKey(childPath(fork, step, index)));
  cursor.turn.remove(loopKey(fork.path));
  cursor.turn.remove(fork.key);
}

/** The code of the step a fork belongs to. */
export function forkStep(cursor: Cursor, fork: ForkRecord): ForEachCode | ParallelCode {
  const step = cursor.program.lists[fork.list]?.[fork.index];
  if (step?.kind !== 'for_each' && step?.kind !== 'parallel')
    throw new RangeError(`${fork.key} has lost its step`);
  return step;
}
