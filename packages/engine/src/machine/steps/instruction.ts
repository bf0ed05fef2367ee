import type { StepResult } from '@skillyard/contracts';
import { chooseOneOf } from '../../flow/one-of.ts';
import { expandTemplate } from '../../flow/template.ts';
import { isBlank } from '../../flow/white-space.ts';
import type { Cursor } from '../cursor.ts';
import type { InstructionCode } from '../program.ts';
import { playbookInput } from '../playbook-input.ts';
import { radiusRefusal, toolsOfStep } from '../radius.ts';
import type { StepState } from '../records.ts';
import { failed, failureOf, isFailure, type StepEnd } from '../step-end.ts';
import { chosenServer } from './chosen-server.ts';
import { generate } from './generate.ts';
import { judgeEmpty, store } from './store.ts';
import { startCalls } from './tool-loop.ts';

/** `instruction`: a model answers, perhaps after calling tools of the step's radius. */
export function enterInstruction(cursor: Cursor, step: InstructionCode): StepEnd {
  const server = chosenServer(cursor, step);
  if (cursor.suspended()) return 'wait';
  if (server !== undefined) {
    const refusal = radiusRefusal(cursor.turn, server);
    if (refusal !== undefined) return failed('RADIUS_REFUSED', refusal);
  }
  // A model that can fetch more gets the preview and its note; one that cannot gets the whole value (spec section 6).
  const toolless = server === undefined && (toolsOfStep(cursor.turn, step) ?? []).length === 0;
  const text = expandTemplate(
    step.text ?? playbookInput(cursor.turn.input.vars),
    cursor,
    toolless ? 'whole' : 'model',
  );
  if (cursor.suspended()) return 'wait';

  const state = cursor.state();
  state.server = server ?? '';
  if (text.unreachable !== '') {
    state.note = `the whole value of "${text.unreachable}" could not be read: the step worked on a fragment`;
  }
  if (cursor.gone !== '') state.note = cursor.gone;
  return generate(cursor, step, text.text);
}

export function receiveInstruction(cursor: Cursor, step: InstructionCode, result: StepResult): StepEnd {
  const state = cursor.state();
  state.calls += result.calls ?? 0;
  state.callsFailed += result.callsFailed ?? 0;
  cursor.countTokens(result.usage);
  if (isFailure(result)) {
    return { failure: failureOf(result), calls: state.calls, callsFailed: state.callsFailed };
  }
  if (result.toolRequests !== undefined && result.toolRequests.length > 0 && !state.final) {
    return startCalls(cursor, step, result.toolRequests);
  }
  if (result.note !== undefined && result.note !== '') state.note = result.note;
  state.truncated = result.status === 'truncated';
  state.text =
    step.oneOf !== null && step.oneOf.length > 0 ? decide(cursor, step.oneOf, result.text) : result.text;
  state.stage = 'settle';
  return settleInstruction(cursor, step);
}

function decide(cursor: Cursor, allowed: readonly string[], text: string): string {
  return chooseOneOf(text, allowed, cursor.vocabulary.decisionMarkers);
}

/** Judges what came back, stores it and writes the row. Evaluated anew when `on_empty_value` needs an asset first. */
export function settleInstruction(cursor: Cursor, step: InstructionCode): StepEnd {
  const state = cursor.state();
  const judged = judgeEmpty(cursor, step, state.text, state);
  if (judged === 'wait') return 'wait';
  if (judged === 'retry') return again(cursor, step, state);
  if ('failed' in judged) return judged.failed;

  store(cursor, step.saveAs === '' ? 'answer' : step.saveAs, judged.text, 'instruction');
  const { calls, callsFailed } = state;
  const reason = judged.used ? '' : degradation(step, state, cursor.vocabulary.decisionMarkers);
  if (judged.used) cursor.row('ok', 'the result was empty: on_empty_value was used', calls, callsFailed);
  else if (reason !== '') cursor.row('degraded', reason, calls, callsFailed);
  else if (state.truncated)
    cursor.row('truncated', 'the answer was cut off by its token limit', calls, callsFailed);
  else cursor.row('ok', '', calls, callsFailed);
  return 'done';
}

/** Runs the step once more, from its text on: nothing it reads has changed. */
function again(cursor: Cursor, step: InstructionCode, state: StepState): StepEnd {
  Object.assign(state, {
    attempt: state.attempt + 1,
    round: 0,
    stage: 'enter',
    note: '',
    text: '',
    truncated: false,
  });
  Object.assign(state, { used: 0, misses: 0, final: false, requests: [], replies: [] });
  return enterInstruction(cursor, step);
}

/** Why a step that produced something still deserves a look; empty when it does not (spec section 10). */
function degradation(step: InstructionCode, state: StepState, markers: readonly string[]): string {
  if (state.note !== '') return state.note;
  if (isBlank(state.text)) {
    if (step.oneOf === null || step.oneOf.length === 0) return 'the step produced no text';
    const hint = markers.length === 0 ? '; no decision markers are declared in the vocabulary' : '';
    return `the answer decides for none of ${step.oneOf.join(', ')}${hint}`;
  }
  if (state.calls > 0 && state.callsFailed >= state.calls) return `every tool call failed (${state.calls})`;
  return '';
}
