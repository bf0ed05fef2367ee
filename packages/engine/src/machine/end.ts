import type { StepError, TurnOutcome, TurnStatus } from '@skillyard/contracts';
import type { Cursor } from './cursor.ts';
import { standOn } from './code-turn.ts';
import type { CodeFrame, Failure, ScopeRecord } from './records.ts';
import { planLoop } from './loop-plan.ts';
import { isTrouble } from './tolerance.ts';
import { dictionary } from './turn.ts';

/** The root scope has ended: so has the turn. */
export function endTurn(cursor: Cursor, root: ScopeRecord, failure: Failure | null): void {
  const status = failure === null ? 'completed' : STATUS_OF[failure.kind];
  const hasFailed = failure !== null && isTrouble(failure);
  finish(cursor, root, {
    status,
    error: hasFailed ? { code: failure.code, message: failure.message } : null,
    exitReason: failure === null || hasFailed ? null : failure.message,
  });
}

const STATUS_OF = {
  error: 'failed',
  denied: 'denied',
  exit: 'exited',
  refused: 'refused',
  blocked: 'blocked',
  requirement_failed: 'requirement_failed',
} as const;

/** Ends a turn from outside. Every step that was under way gets a row that says so, innermost first. */
export function stopTurn(cursor: Cursor, status: 'cancelled' | 'failed', error: StepError): void {
  const scopes = cursor.turn.scopesBelow('');
  for (const scope of scopes.toSorted((a, b) => b.path.length - a.path.length)) {
    cursor.scope = scope;
    stopScope(cursor, scope, error.message);
  }
  const root = cursor.turn.scope('');
  if (root === undefined) throw new RangeError('a live turn has a root scope');
  finish(cursor, root, { status, error, exitReason: null });
}

function stopScope(cursor: Cursor, scope: ScopeRecord, reason: string): void {
  for (const frame of scope.frames.toReversed()) {
    const step = cursor.program.lists[frame.list]?.[frame.index];
    if (step === undefined) continue;
    if (frame.kind === 'list') {
      if (scope.step === null || frame !== scope.frames.at(-1)) continue;
      const { calls, callsFailed } = scope.step;
      cursor.emitRow(step, frame.path + frame.index, {
        outcome: 'error',
        reason,
        calls,
        callsFailed,
        state: scope.step,
      });
    } else if (frame.kind === 'code') {
      stopCode(cursor, scope, frame, reason);
    } else if (step.kind === 'for_each') {
      const loop = planLoop(step, cursor.turn.header.settings);
      const { total: calls, startedAtMs } = frame;
      cursor.emitRow(step, frame.path, { outcome: 'error', reason, calls, startedAtMs, loop });
    }
  }
}

/** Code that is stopped: what is being done for it, then the code. */
function stopCode(cursor: Cursor, scope: ScopeRecord, frame: CodeFrame, reason: string): void {
  const step = cursor.program.lists[frame.list]?.[frame.index];
  if (step?.kind !== 'code') throw new RangeError(`${frame.path} is no code of this program`);
  if (frame.directive !== null && scope.step !== null) {
    standOn(cursor, step, frame);
    cursor.row('error', reason, scope.step.calls, scope.step.callsFailed);
  }
  const { startedAtMs, rounds: calls } = frame;
  cursor.emitRow(step, frame.path, { outcome: 'error', reason, calls, startedAtMs });
}

function finish(
  cursor: Cursor,
  root: ScopeRecord,
  end: { status: TurnStatus; error: StepError | null; exitReason: string | null },
): void {
  const { turn, advance } = cursor;
  const vars = dictionary<string>();
  for (const [name, value] of Object.entries(root.vars)) {
    if (value !== null) vars[name] = value;
  }
  const outcome: TurnOutcome = {
    ...end,
    vars,
    answer: vars.answer ?? '',
    answeredBy: root.answeredBy,
    skipped: root.skipped,
    ...(root.requirements !== undefined && { requirements: [...root.requirements] }),
    usage: {
      generations: turn.usage.generations,
      calls: turn.usage.calls,
      inputTokens: turn.usage.inputTokens,
      outputTokens: turn.usage.outputTokens,
    },
  };
  for (const job of turn.pending()) advance.dropped.push(job);
  turn.end();
  advance.events.push({ type: 'turn.finished', status: end.status, atMs: cursor.nowMs });
  advance.outcome = outcome;
}
