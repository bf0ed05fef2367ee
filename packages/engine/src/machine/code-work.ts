/** What is done for the code of a turn, and what the code is told of it. */
import {
  ACTION_CLASS,
  type AskJob,
  type CallJob,
  type CodeEvent,
  type CodePosition,
  COMMAND_CLASS,
  type Directive,
  type Json,
  type JsonObject,
  type StepResult,
} from '@skillyard/contracts';
import { COMMAND_TOOL } from './code-work-step.ts';
import { isCommandResult, NO_COMMAND_RESULT } from './command-result.ts';
import type { Cursor } from './cursor.ts';
import { limitFailure } from './limits.ts';
import type { CodeCode, InstructionCode } from './program.ts';
import type { CodeFrame } from './records.ts';
import { failed, failureOf, isFailure, type StepEnd } from './step-end.ts';
import { tellOfQuestion } from './steps/ask.ts';
import { receiveInstruction } from './steps/instruction.ts';
import { receiveToolCall } from './steps/tool-loop.ts';

/** What became of the code, or of what was done for it. `next`: the frame goes on at once. */
export type CodeEnd = StepEnd | 'next';

/** Where the code finds what it has decided so far. */
export function positionOf(step: CodeCode, frame: CodeFrame): CodePosition {
  return { code: step.ref, journal: `${frame.path}.journal`, rounds: frame.rounds };
}

/** What was wanted is done: the code is asked what comes next. */
function tell(cursor: Cursor, frame: CodeFrame, event: CodeEvent): 'next' {
  frame.event = event;
  frame.directive = null;
  frame.done++;
  cursor.scope.step = null;
  cursor.turn.touch(cursor.scope);
  return 'next';
}

/** A generation of the code's, or a call of its model, has come back. */
export function receiveReply(cursor: Cursor, frame: CodeFrame, result: StepResult): CodeEnd {
  const step = cursor.step as InstructionCode;
  const state = cursor.state();
  const round = state.round;
  const isCall = state.stage === 'tools';
  const end = isCall ? receiveToolCall(cursor, step, result) : receiveInstruction(cursor, step, result);
  if (end === 'wait') return end;
  frame.generations[step.name] = (frame.generations[step.name] ?? 0) + round + 1;
  if (end === 'done') {
    frame.talked += round + 1;
    return tell(cursor, frame, { type: 'reply', text: state.text, error: null });
  }
  if (!('failure' in end) || end.failure.code !== 'MODEL_ANSWER_INVALID') return end;
  const { code, message } = end.failure;
  cursor.row('error', message, end.calls, end.callsFailed);
  // Its rounds are not kept: the next generation takes their place.
  return tell(cursor, frame, { type: 'reply', text: '', error: { code, message } });
}

type ActDirective = Extract<Directive, { do: 'act' }>;

/** An action of the code's own. */
export function askAction(cursor: Cursor, step: CodeCode, frame: CodeFrame, wanted: ActDirective): StepEnd {
  const { action: tool, input, effect, timeoutMs } = wanted;
  const args = isRecord(input) ? input : { input };
  return askCall(cursor, positionOf(step, frame), { server: ACTION_CLASS, tool, args, effect }, timeoutMs);
}

type CommandDirective = Extract<Directive, { do: 'command' }>;

/** What a worker needs beyond the time of a command: to start it, to end it, and to keep what it wrote. */
const COMMAND_GRACE_MS = 60_000;

/** A command of a program. */
export function askCommand(
  cursor: Cursor,
  step: CodeCode,
  frame: CodeFrame,
  wanted: CommandDirective,
): StepEnd {
  const { command, timeoutMs } = wanted;
  // Nobody knows what a command does: it is never run a second time.
  const called = {
    server: COMMAND_CLASS,
    tool: COMMAND_TOOL,
    args: { command, timeoutMs },
    effect: 'once',
  } as const;
  return askCall(cursor, positionOf(step, frame), called, timeoutMs + COMMAND_GRACE_MS);
}

type CodeCall = Pick<CallJob, 'server' | 'tool' | 'args' | 'effect'>;

function askCall(cursor: Cursor, at: CodePosition, called: CodeCall, timeoutMs: number | undefined): StepEnd {
  const limit = limitFailure(cursor, 'calls');
  if (limit !== undefined) return limit;
  cursor.state().stage = 'job';
  cursor.turn.spend('calls', 1);
  const job: CallJob = {
    id: cursor.jobId('c'),
    turnId: cursor.turn.id,
    path: cursor.path,
    step: cursor.step.name,
    kind: 'call',
    ...called,
    fill: [],
    notes: [],
    origin: 'code',
    at,
  };
  cursor.ask(job, timeoutMs);
  return 'wait';
}

function isRecord(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An action or a command has come back. */
export function receiveAction(cursor: Cursor, frame: CodeFrame, result: StepResult): CodeEnd {
  const calls = result.sent === false ? 0 : 1;
  if (calls === 0) cursor.turn.spend('calls', -1);
  if (isFailure(result)) return { failure: failureOf(result), calls, callsFailed: calls };
  const value = result.value ?? valueOf(result.text);
  if (result.value === undefined && frame.directive?.do === 'command' && !isCommandResult(value))
    return failed('STEP_FAILED', NO_COMMAND_RESULT, { calls });
  cursor.row('ok', '', calls);
  return tell(cursor, frame, { type: 'acted', value });
}

/** What somebody gave in the place of an action: they can only write a text. */
function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text === '' ? null : text;
  }
}

type AskDirective = Extract<Directive, { do: 'ask' }>;

/** Questions to a person. */
export function askPerson(cursor: Cursor, wanted: AskDirective): StepEnd {
  const closed = wanted.questions.find(({ kind, options = [] }) => kind === 'choice' && options.length === 0);
  if (closed !== undefined)
    return failed('CODE_FAILED', `nobody could answer "${closed.text}": it is a choice without options`);
  cursor.state().stage = 'job';
  const job: AskJob = {
    id: cursor.jobId('q'),
    turnId: cursor.turn.id,
    path: cursor.path,
    step: wanted.step,
    kind: 'ask',
    questions: wanted.questions,
  };
  cursor.ask(job, wanted.timeoutMs);
  tellOfQuestion(cursor, 'question.asked');
  return 'wait';
}

/** Questions have been answered, or their time is over. */
export function receiveAnswers(cursor: Cursor, frame: CodeFrame, result: StepResult): CodeEnd {
  if (!isFailure(result)) {
    tellOfQuestion(cursor, 'question.answered');
    cursor.row('ok', 'answered');
    return tell(cursor, frame, { type: 'answered', answers: (result.value ?? []) as Json[] });
  }
  if (result.error?.code !== 'STEP_TIMEOUT') return { failure: failureOf(result), calls: 0, callsFailed: 0 };
  tellOfQuestion(cursor, 'question.expired');
  cursor.row('degraded', 'nobody answered in time');
  return tell(cursor, frame, { type: 'answered', answers: null });
}
