/**
 * The turn machine, seen from a driver: an event goes in, what to do next comes out. It never waits, reads no clock and
 * is never random.
 *
 * M1 A result is applied once; a second time, or for a job nobody waits for, it changes nothing.
 * M2 Results in any order that respects causality lead to the same state.
 * M3 A turn saved and loaded between two events goes on as if it had not been.
 */
import type { StepError, StepResult, TurnId, TurnRadius } from '@skillyard/contracts';
import { type Advance, Cursor } from './cursor.ts';
import { stopTurn } from './end.ts';
import { newScope } from './fork.ts';
import type { Program } from './program.ts';
import { boundedRadius } from './radius.ts';
import type { AssetRecord, ScopeRecord, TurnSettings } from './records.ts';
import { drain, receive } from './run.ts';
import { dictionary, Turn } from './turn.ts';

/** What a turn starts with. */
export interface TurnStart {
  readonly turnId: TurnId;
  readonly vars?: Readonly<Record<string, string>>;
  readonly settings?: Partial<TurnSettings>;
  /** What the sources of the skill came to; for a skill that has some ({@link Program.sources}). */
  readonly radius?: TurnRadius;
}

/** Iterations of one loop in flight when neither the skill nor the operator says. */
const DEFAULT_WINDOW = 64;

/** Begins a turn and runs it up to the first jobs it has to wait for. */
export function startTurn(
  program: Program,
  start: TurnStart,
  nowMs: number,
): { turn: Turn; advance: Advance } {
  const settings: TurnSettings = {
    fanOut: 'auto',
    window: DEFAULT_WINDOW,
    vocabulary: { decisionMarkers: [], truncationNotes: [] },
    effects: {},
    ...start.settings,
  };
  const vars = dictionary<string>();
  for (const [name, value] of program.vars) vars[name] = value;
  for (const [name, value] of Object.entries(start.vars ?? {})) vars[name] = value;
  const radius = boundedRadius(program, start.radius);
  const turn = new Turn(
    program,
    {
      key: 'turn',
      id: start.turnId,
      startedAtMs: nowMs,
      settings,
      ...(radius !== undefined && { radius }),
      handles: Object.keys(vars).some((name) => name.endsWith('.mem')),
      ended: false,
    },
    { key: 'input', vars },
  );
  const root = newScope('', 0, null);
  turn.add(root);
  const cursor = new Cursor(turn, nowMs);
  cursor.advance.events.push({
    type: 'turn.started',
    atMs: nowMs,
    ...(start.radius !== undefined && { radius: { ...start.radius, tools: radius ? [...radius] : null } }),
  });
  cursor.ready.push(root);
  drain(cursor);
  return { turn, advance: cursor.advance };
}

/**
 * Applies the result of a job.
 * @returns what to do next; nothing when nobody waits for this result
 */
export function applyResult(turn: Turn, result: StepResult, nowMs: number): Advance {
  const cursor = new Cursor(turn, nowMs);
  const receiver = turn.header.ended ? undefined : turn.takeReceiver(result.jobId);
  if (receiver === undefined) return cursor.advance;
  if (receiver.key.startsWith('asset:')) receiveAsset(cursor, receiver as AssetRecord, result);
  else receiveInScope(cursor, receiver as ScopeRecord, result);
  drain(cursor);
  if (cursor.advance.fatal === true && !turn.header.ended) {
    turn.header.doomed = true;
    turn.touch(turn.header);
  }
  return cursor.advance;
}

/** Ends a turn as cancelled: work that is queued or running no longer matters. */
export function cancelTurn(turn: Turn, reason: StepError, nowMs: number): Advance {
  const cursor = new Cursor(turn, nowMs);
  if (!turn.header.ended) stopTurn(cursor, 'cancelled', reason);
  return cursor.advance;
}

/** When a turn must have ended, if its skill sets a limit in seconds. The driver calls {@link expireTurn} then. */
export function turnDeadlineMs(turn: Turn): number | null {
  const seconds = turn.program.limits?.seconds ?? 0;
  return seconds > 0 ? turn.header.startedAtMs + seconds * 1000 : null;
}

/** Ends a turn that has reached its limit of seconds; what was produced is in the outcome. */
export function expireTurn(turn: Turn, nowMs: number): Advance {
  const cursor = new Cursor(turn, nowMs);
  const seconds = turn.program.limits?.seconds ?? 0;
  if (!turn.header.ended && seconds > 0) {
    const message = `the turn reached its limit of ${seconds} seconds`;
    stopTurn(cursor, 'failed', { code: 'LIMIT_EXCEEDED', message });
  }
  return cursor.advance;
}

function receiveAsset(cursor: Cursor, asset: AssetRecord, result: StepResult): void {
  const isThere = result.status === 'ok' || result.status === 'empty';
  asset.ready = true;
  asset.text = isThere ? result.text : '';
  asset.note = result.note ?? '';
  asset.error = isThere
    ? null
    : (result.error ?? { code: 'ASSET_UNAVAILABLE', message: 'it could not be had' });
  cursor.turn.touch(asset);
  for (const path of asset.waiters.splice(0)) {
    const scope = cursor.turn.scope(path);
    if (scope !== undefined) arrive(cursor, scope, result);
  }
}

function receiveInScope(cursor: Cursor, scope: ScopeRecord, result: StepResult): void {
  const need = scope.asking?.[result.jobId];
  if (need === undefined) {
    scope.open.splice(scope.open.indexOf(result.jobId), 1);
    cursor.turn.touch(scope);
    receive(cursor, scope, result);
    return;
  }
  scope.needs ??= dictionary();
  scope.needs[need] = memoryAnswer(result);
  if (scope.asking !== null) delete scope.asking[result.jobId];
  arrive(cursor, scope, result);
}

/** One of the values a scope waits for is there; with the last one it goes on. */
function arrive(cursor: Cursor, scope: ScopeRecord, result: StepResult): void {
  const at = scope.open.indexOf(result.jobId);
  if (at >= 0) scope.open.splice(at, 1);
  cursor.turn.touch(scope);
  if (scope.open.length === 0) cursor.ready.push(scope);
}

function memoryAnswer(result: StepResult): NonNullable<ScopeRecord['needs']>[string] {
  if (result.status === 'ok') return { found: true, text: result.text };
  if (result.status === 'empty') return { found: false };
  const message = result.error?.message ?? 'the value could not be read';
  return result.error?.code === 'REFERENCE_UNRESOLVED'
    ? { found: false, miss: message }
    : { found: false, gone: message };
}
