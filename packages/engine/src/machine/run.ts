/**
 * Runs scopes until each of them waits, ends, or has nothing to do.
 *
 * R1 A scope that has open jobs is never evaluated.
 * R2 Every failure leaves a row where the step's row would stand, then its policy decides; loops and forks that are left
 *    add theirs, innermost first (spec section 10).
 * R3 There is no recursion per step or iteration: scopes to go on with are queued, so depth is that of the nesting.
 */
import { SkillyardError, type StepResult } from '@skillyard/contracts';
import { evaluateCondition } from '../flow/condition.ts';
import { receiveCode, standOn, stepCode } from './code-turn.ts';
import type { CodeEnd } from './code-work.ts';
import type { Cursor } from './cursor.ts';
import { endTurn } from './end.ts';
import { isFatal } from './fatal.ts';
import { childIndex, endChild, forkStep } from './fork.ts';
import type { CodeCode, ForEachCode, StepCode } from './program.ts';
import type { CodeFrame, Failure, ListFrame, LoopFrame, ScopeRecord } from './records.ts';
import { failed, type Failed, type StepEnd } from './step-end.ts';
import { receiveStep, resumeStep } from './step-table.ts';
import { closeLoop, failItem, gatherItem, joinLoop, loopPlan, stepLoop } from './steps/for-each.ts';
import { gatherBranch, joinParallel } from './steps/parallel.ts';
import { isTolerable, isTolerated, outcomeOf, within } from './tolerance.ts';

/** Goes on with every scope that is ready, until none is. */
export function drain(cursor: Cursor): void {
  for (let next = 0; next < cursor.ready.length; next++) {
    const scope = cursor.ready[next];
    if (scope !== undefined && cursor.turn.scope(scope.path) === scope) runScope(cursor, scope);
    if (cursor.turn.header.ended) break;
  }
  cursor.ready.length = 0;
}

/** Hands a result to the step that waits for it. */
export function receive(cursor: Cursor, scope: ScopeRecord, result: StepResult): void {
  const code = scope.frames.at(-1);
  if (code?.kind === 'code') {
    const step = enterCodeFrame(cursor, scope, code);
    const end = evaluate(cursor, () => receiveCode(cursor, step, code, result));
    if (applyCode(cursor, code, end)) cursor.ready.push(scope);
    return;
  }
  const frame = enterScope(cursor, scope);
  const end = evaluate(cursor, () => receiveStep(cursor, result));
  if (apply(cursor, frame, end)) cursor.ready.push(scope);
}

function runScope(cursor: Cursor, scope: ScopeRecord): void {
  for (;;) {
    if (scope.open.length > 0 || scope.step?.stage === 'join') return;
    const frame = scope.frames.at(-1);
    cursor.scope = scope;
    if (frame === undefined) {
      endScope(cursor, scope, null);
      return;
    }
    if (frame.kind === 'loop') {
      if (!runLoop(cursor, scope, frame)) return;
      continue;
    }
    if (frame.kind === 'code') {
      const step = enterCodeFrame(cursor, scope, frame);
      const end = evaluate(cursor, () => stepCode(cursor, step, frame));
      if (!applyCode(cursor, frame, end)) return;
      continue;
    }
    const step = cursor.program.lists[frame.list]?.[frame.index];
    if (step === undefined) {
      scope.frames.pop();
      cursor.turn.touch(scope);
      continue;
    }
    cursor.step = step;
    cursor.path = frame.path + frame.index;
    if (!apply(cursor, frame, enterStep(cursor, step))) return;
  }
}

function runLoop(cursor: Cursor, scope: ScopeRecord, frame: LoopFrame): boolean {
  const step = loopStep(cursor, frame);
  cursor.step = step;
  cursor.path = frame.path;
  const end = evaluate(cursor, () => stepLoop(cursor, step, frame));
  if (end === 'wait') return false;
  scope.needs = null;
  return end === 'next' || leaveLoop(cursor, end);
}

/** Stands the cursor on what a code turn is at. */
function enterCodeFrame(cursor: Cursor, scope: ScopeRecord, frame: CodeFrame): CodeCode {
  const step = cursor.program.lists[frame.list]?.[frame.index];
  if (step?.kind !== 'code') throw new RangeError(`${frame.path} is no code of this program`);
  cursor.scope = scope;
  standOn(cursor, step, frame);
  return step;
}

/** @returns whether the scope can go on at once */
function applyCode(cursor: Cursor, frame: CodeFrame, end: CodeEnd): boolean {
  const { scope } = cursor;
  if (end === 'next') return true;
  if (end === 'wait') {
    cursor.state();
    return false;
  }
  if (end === 'done') {
    scope.frames.pop();
    return apply(cursor, listFrame(scope), end);
  }
  if (!('failure' in end)) throw new RangeError('code enters no other frame');
  if (frame.directive !== null) return fail(cursor, end);
  // The code itself failed: its row is written as its frame goes.
  scope.step = null;
  scope.needs = null;
  return propagate(cursor, end.failure);
}

/** A loop that was walked in order has ended: its frame goes, and its step with it. */
function leaveLoop(cursor: Cursor, end: StepEnd): boolean {
  const { scope } = cursor;
  scope.frames.pop();
  return apply(cursor, listFrame(scope), end);
}

function loopStep(cursor: Cursor, frame: LoopFrame): ForEachCode {
  const step = cursor.program.lists[frame.list]?.[frame.index];
  if (step?.kind !== 'for_each') throw new RangeError(`${frame.path} is no loop of this program`);
  return step;
}

function enterStep(cursor: Cursor, step: StepCode): StepEnd {
  const { scope } = cursor;
  if (scope.step === null) cursor.started();
  if (scope.step?.stage === 'settle') return evaluate(cursor, () => resumeStep(cursor, step, 'settle'));
  if (step.when === null) return evaluate(cursor, () => resumeStep(cursor, step, 'enter'));
  const { when } = step;
  return evaluate(cursor, () => {
    const holds = evaluateCondition(when, cursor);
    if (cursor.suspended()) return 'wait';
    if (holds) return resumeStep(cursor, step, 'enter');
    scope.skipped.push(step.label);
    cursor.row('skipped', 'its condition does not hold');
    return 'done';
  });
}

/** Turns an error of our own into a failure of the step. An error while values are missing only says they are. */
function evaluate<End extends StepEnd | 'next'>(cursor: Cursor, work: () => End): End | 'wait' | Failed {
  cursor.begin();
  try {
    return work();
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
    if (cursor.suspended()) return 'wait';
    const state = cursor.scope.step;
    return failed(error.code, error.message, {
      calls: state?.calls ?? 0,
      callsFailed: state?.callsFailed ?? 0,
    });
  }
}

/** @returns whether the scope can go on at once */
function apply(cursor: Cursor, frame: ListFrame, end: StepEnd): boolean {
  const { scope } = cursor;
  if (end === 'wait') {
    // A step that waits for a value before it ran is entered anew; its state keeps when it began.
    cursor.state();
    if (scope.step?.stage === 'model' || scope.step?.stage === 'job') scope.needs = null;
    return false;
  }
  if (end !== 'done' && 'failure' in end) return fail(cursor, end);
  scope.step = null;
  scope.needs = null;
  // A loop stands on its step until its last iteration has ended; the steps of a branch follow theirs.
  if (end === 'done' || end.frame.kind === 'list') frame.index++;
  if (end !== 'done') scope.frames.push(end.frame);
  cursor.turn.touch(scope);
  return true;
}

/** A step failed: its row, then its policy. */
function fail(cursor: Cursor, end: Failed): boolean {
  const { scope, step } = cursor;
  const { failure } = end;
  const outcome = end.outcome ?? outcomeOf(failure);
  if (step.kind === 'for_each') {
    const row = {
      outcome,
      reason: failureReason(failure),
      calls: end.calls,
      state: scope.step,
      loop: loopPlan(cursor, step),
    };
    cursor.emitRow(step, cursor.path, row);
  } else {
    const reason = step.kind === 'exit' ? failure.message : failureReason(failure);
    cursor.row(outcome, reason, end.calls, end.callsFailed);
  }
  // What still runs of this step (calls of the same round) no longer matters.
  cursor.withdraw(scope);
  scope.open = [];
  scope.step = null;
  scope.needs = null;
  cursor.turn.touch(scope);
  if (step.onError === 'abort' || !isTolerable(failure)) {
    return propagate(cursor, within(`step "${step.label}"`, failure));
  }
  cursor.writeNote(step.saveAs, failure);
  const frame = scope.frames.at(-1);
  if (step.onError === 'skip') scope.frames.pop();
  else if (frame?.kind === 'list') frame.index++;
  return true;
}

function failureReason(failure: Failure): string {
  if (failure.kind === 'exit')
    return failure.message === '' ? 'left by an exit' : `left by an exit: ${failure.message}`;
  return failure.message;
}

/** Takes a failure up through the frames of the scope: a loop may tolerate it, otherwise the scope ends. */
function propagate(cursor: Cursor, failure: Failure): boolean {
  const { scope } = cursor;
  let current = failure;
  for (let frame = scope.frames.pop(); frame !== undefined; frame = scope.frames.pop()) {
    if (frame.kind === 'list') continue;
    if (frame.kind === 'code') {
      current = leaveCode(cursor, frame, current);
      continue;
    }
    const step = loopStep(cursor, frame);
    cursor.step = step;
    cursor.path = frame.path;
    current = within(`item ${frame.item + 1}`, current);
    if (isTolerated(step, current)) {
      scope.frames.push(frame);
      const tolerated = current;
      const end = evaluate(cursor, () => failItem(cursor, step, frame, tolerated));
      return end === 'next' || leaveLoop(cursor, end);
    }
    closeLoop(cursor, frame);
    cursor.emitRow(step, frame.path, {
      outcome: outcomeOf(current),
      reason: failureReason(current),
      calls: frame.total,
      startedAtMs: frame.startedAtMs,
      loop: loopPlan(cursor, step),
    });
    current = within(`step "${step.label}"`, current);
  }
  endScope(cursor, scope, current);
  return false;
}

/** Something that was done for code failed, and so has the code. */
function leaveCode(cursor: Cursor, frame: CodeFrame, failure: Failure): Failure {
  const step = cursor.program.lists[frame.list]?.[frame.index];
  if (step === undefined) throw new RangeError(`${frame.path} is no step of this program`);
  const { startedAtMs, rounds: calls } = frame;
  cursor.emitRow(step, frame.path, {
    outcome: outcomeOf(failure),
    reason: failureReason(failure),
    calls,
    startedAtMs,
  });
  return failure;
}

/** A scope has run out of steps, or failed. */
function endScope(cursor: Cursor, scope: ScopeRecord, failure: Failure | null): void {
  if (scope.fork === null) {
    endTurn(cursor, scope, failure);
    return;
  }
  const fork = cursor.turn.fork(scope.fork);
  if (fork === undefined) throw new RangeError(`${scope.key} has lost its fork`);
  const step = forkStep(cursor, fork);
  cursor.step = step;
  cursor.path = fork.path;
  let collected = '';
  if (failure === null) {
    collected = step.kind === 'parallel' ? gatherBranch(cursor, step, scope) : gatherItem(cursor, step);
    if (cursor.suspended()) return;
  }
  if (failure !== null && isFatal(cursor, fork, failure)) cursor.advance.fatal = true;
  const index = childIndex(scope.path) + 1;
  const where = step.kind === 'parallel' ? `branch ${index}` : `item ${index}`;
  const isLast = endChild(cursor, scope, fork, collected, failure && within(where, failure));
  if (!isLast) return;
  const parent = cursor.turn.scope(fork.scope);
  if (parent === undefined) throw new RangeError(`${fork.key} has lost its scope`);
  const frame = enterScope(cursor, parent);
  const end = evaluate(cursor, () =>
    step.kind === 'parallel' ? joinParallel(cursor, step, fork) : joinLoop(cursor, step, fork),
  );
  if (apply(cursor, frame, end)) cursor.ready.push(parent);
}

/** Stands the cursor on the step that a scope is at. */
function enterScope(cursor: Cursor, scope: ScopeRecord): ListFrame {
  const frame = listFrame(scope);
  const step = cursor.program.lists[frame.list]?.[frame.index];
  if (step === undefined) throw new RangeError(`${scope.key} is at no step`);
  cursor.scope = scope;
  cursor.step = step;
  cursor.path = frame.path + frame.index;
  return frame;
}

function listFrame(scope: ScopeRecord): ListFrame {
  const frame = scope.frames.at(-1);
  if (frame?.kind !== 'list') throw new RangeError(`${scope.key} is at no list of steps`);
  return frame;
}
