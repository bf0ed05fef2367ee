/**
 * A turn whose control flow is code. The code is asked what to do (a `decide` job), what it wants is done as any other
 * step is (a generation with its tool loop, a call, a question), and it is asked again with what came of it.
 *
 * X1 The code is asked once per event, and what it decided is in the journal before anything is done for it.
 * X2 What is done for the code has a path, a row and jobs of its own, so budget, cancellation, redrive and traces are
 *    those of every step.
 * X3 A failure that the code cannot do anything about ends the turn; it is told of what belongs to it: an answer that is
 *    not what it asked for, a question that nobody answered.
 */
import {
  type DecideJob,
  type Decision,
  type Directive,
  type Json,
  type StepResult,
} from '@skillyard/contracts';
import {
  askAction,
  askCommand,
  askPerson,
  type CodeEnd,
  positionOf,
  receiveAction,
  receiveAnswers,
  receiveReply,
} from './code-work.ts';
import { workStep } from './code-work-step.ts';
import type { Cursor } from './cursor.ts';
import { LIMIT_CODE } from './limits.ts';
import type { CodeCode, InstructionCode } from './program.ts';
import type { CodeFrame } from './records.ts';
import { failed, failureOf, isFailure, type StepEnd } from './step-end.ts';
import { generate } from './steps/generate.ts';
import { store } from './steps/store.ts';
import { dictionary } from './turn.ts';

/** Decisions of a turn: code that goes round in circles ends. Each decision reads all that were made before. */
const MAX_ROUNDS = 10_000;
const ANSWER = 'answer';

/** The code step begins: the code is told of the variables the turn was given. */
export function enterCode(cursor: Cursor): StepEnd {
  const { list, index } = cursor.position();
  const frame: CodeFrame = {
    kind: 'code',
    list,
    index,
    path: cursor.path,
    startedAtMs: cursor.state().startedAtMs,
    rounds: 0,
    done: 0,
    talked: 0,
    generations: dictionary(),
    event: { type: 'start', vars: { ...cursor.turn.input.vars } },
    directive: null,
  };
  return { frame };
}

/** Stands the cursor on what is being done for the code, or on the code itself. */
export function standOn(cursor: Cursor, step: CodeCode, frame: CodeFrame): void {
  const { directive } = frame;
  cursor.step = directive === null ? step : workStep(cursor, step, frame, directive);
  cursor.path = directive === null ? frame.path : `${frame.path}.v${frame.done}`;
}

/** Goes on: asks the code, or begins what it wants done. */
export function stepCode(cursor: Cursor, step: CodeCode, frame: CodeFrame): StepEnd {
  if (frame.directive === null) return askCode(cursor, step, frame);
  cursor.started();
  switch (frame.directive.do) {
    case 'generate':
      return generate(cursor, cursor.step as InstructionCode, frame.directive.instruction);
    case 'act':
      return askAction(cursor, step, frame, frame.directive);
    case 'command':
      return askCommand(cursor, step, frame, frame.directive);
    case 'ask':
      return askPerson(cursor, frame.directive);
  }
}

/** A result for what is being done for the code, or the decision of the code. */
export function receiveCode(cursor: Cursor, step: CodeCode, frame: CodeFrame, result: StepResult): CodeEnd {
  if (frame.directive === null) return receiveDecision(cursor, frame, result);
  switch (frame.directive.do) {
    case 'generate':
      return receiveReply(cursor, frame, result);
    case 'act':
    case 'command':
      return receiveAction(cursor, frame, result);
    case 'ask':
      return receiveAnswers(cursor, frame, result);
  }
}

function askCode(cursor: Cursor, step: CodeCode, frame: CodeFrame): StepEnd {
  if (frame.event === null) throw new RangeError(`${frame.path} has nothing to ask its code`);
  if (frame.rounds >= MAX_ROUNDS)
    return failed(LIMIT_CODE, `the turn reached the limit of ${MAX_ROUNDS} decisions of its code`);
  cursor.state().stage = 'job';
  const job: DecideJob = {
    id: cursor.jobId(`d${frame.rounds}`),
    turnId: cursor.turn.id,
    path: cursor.path,
    step: step.name,
    kind: 'decide',
    at: positionOf(step, frame),
    event: frame.event,
  };
  cursor.ask(job);
  return 'wait';
}

function receiveDecision(cursor: Cursor, frame: CodeFrame, result: StepResult): CodeEnd {
  if (isFailure(result)) return { failure: failureOf(result), calls: 0, callsFailed: 0 };
  if (result.value === undefined)
    return failed('CODE_FAILED', 'what was given in the place of its decision is none');
  const decision = result.value as Decision;
  const { path, advance, nowMs: atMs } = cursor;
  for (const name of decision.passed) {
    const gate = { traceName: name, kind: 'switch' } as const;
    const row = { outcome: 'ok', reason: 'passed', calls: 0, startedAtMs: atMs } as const;
    cursor.emitRow(gate, `${path}.v${frame.done++}`, row);
  }
  for (const observation of decision.observed) {
    advance.events.push({ type: 'step.observed', path, observation, atMs });
  }
  frame.rounds++;
  frame.event = null;
  const { directive } = decision;
  if (directive.do === 'end') return endCode(cursor, frame, directive);
  frame.directive = directive;
  cursor.scope.step = null;
  return 'next';
}

function endCode(cursor: Cursor, frame: CodeFrame, end: Extract<Directive, { do: 'end' }>): StepEnd {
  const calls = frame.rounds;
  const { requirements } = end;
  if (requirements !== undefined) {
    cursor.scope.requirements = requirements;
    for (const requirement of requirements) {
      const { path, nowMs: atMs } = cursor;
      cursor.advance.events.push({ type: 'requirement.checked', path, requirement, atMs });
    }
  }
  if (end.stop !== undefined) {
    const { status: kind, reason: message } = end.stop;
    return { failure: { kind, code: '', message }, calls, callsFailed: 0 };
  }
  if (end.error !== null) return failed(end.error.code, end.error.message, { calls });
  store(cursor, ANSWER, textOf(end.output), 'code');
  cursor.emitRow(cursor.step, frame.path, {
    outcome: 'ok',
    reason: '',
    calls,
    startedAtMs: frame.startedAtMs,
  });
  return 'done';
}

function textOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
