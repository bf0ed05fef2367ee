import type { CallJob, JsonObject, StepResult } from '@skillyard/contracts';
import { expandArguments } from '../../flow/arguments.ts';
import type { Cursor } from '../cursor.ts';
import { limitFailure } from '../limits.ts';
import type { CallCode } from '../program.ts';
import { radiusRefusal } from '../radius.ts';
import { failed, failureOf, isFailure, type StepEnd } from '../step-end.ts';
import { chosenServer } from './chosen-server.ts';
import { judgeEmpty, store } from './store.ts';

/** `call`: a tool without a model. Stops before the call, with 0 calls, when anything about it does not resolve. */
export function enterCall(cursor: Cursor, step: CallCode): StepEnd {
  const server = chosenServer(cursor, step) ?? step.server;
  if (cursor.suspended()) return 'wait';
  const refusal = radiusRefusal(cursor.turn, server, step.tool);
  if (refusal !== undefined) return failed('RADIUS_REFUSED', refusal);
  const { args, fill, deliver } = expandArguments(step.args, cursor);
  if (cursor.suspended()) return 'wait';
  const limit = limitFailure(cursor, 'calls');
  if (limit !== undefined) return limit;

  const state = cursor.state();
  state.stage = 'job';
  state.note = cursor.gone;
  cursor.turn.spend('calls', 1);
  const job: CallJob = {
    id: cursor.jobId('c'),
    turnId: cursor.turn.id,
    path: cursor.path,
    step: step.name,
    kind: 'call',
    server,
    tool: step.tool,
    args: routed(cursor, args, deliver),
    fill,
    notes: cursor.vocabulary.truncationNotes,
    origin: 'step',
  };
  cursor.ask(job, step.timeoutMs);
  return 'wait';
}

/** An asset that was passed by reference may declare where the output goes (spec section 7). */
function routed(cursor: Cursor, args: JsonObject, assets: readonly string[]): JsonObject {
  if (Object.hasOwn(args, '_deliver')) return args;
  for (const name of assets) {
    const route = cursor.program.assets.get(name)?.deliver.trim() ?? '';
    if (route !== '' && route !== 'none') return { ...args, _deliver: { to: route } };
  }
  return args;
}

export function receiveCall(cursor: Cursor, step: CallCode, result: StepResult): StepEnd {
  const state = cursor.state();
  state.calls = result.sent === false ? 0 : 1;
  if (state.calls === 0) cursor.turn.spend('calls', -1);
  if (isFailure(result)) {
    return { failure: failureOf(result), calls: state.calls, callsFailed: state.calls };
  }
  state.stage = 'settle';
  state.text = result.text;
  if (result.note !== undefined && state.note === '') state.note = result.note;
  return settleCall(cursor, step);
}

export function settleCall(cursor: Cursor, step: CallCode): StepEnd {
  const state = cursor.state();
  const judged = judgeEmpty(cursor, step, state.text, state);
  if (judged === 'wait' || judged === 'retry') return 'wait';
  if ('failed' in judged) return judged.failed;
  store(cursor, step.saveAs, judged.text, 'call');
  if (judged.used) cursor.row('ok', 'the result was empty: on_empty_value was used', state.calls, 0);
  else if (state.note !== '') cursor.row('degraded', state.note, state.calls, 0);
  else cursor.row('ok', '', state.calls, 0);
  return 'done';
}
