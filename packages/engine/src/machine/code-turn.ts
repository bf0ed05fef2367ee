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
  type AskJob,
  type CallJob,
  type CodeEvent,
  type CodePosition,
  type DecideJob,
  type Decision,
  type Directive,
  type Json,
  type JsonObject,
  ACTION_CLASS,
  COMMAND_CLASS,
  type StepResult,
} from '@skillyard/contracts';
import { compileArguments } from '../flow/arguments.ts';
import { parseTemplate } from '../flow/template.ts';
import type { Skill } from '../format/ast.ts';
import { isCommandResult, NO_COMMAND_RESULT } from './command-result.ts';
import type { Cursor } from './cursor.ts';
import { LIMIT_CODE, limitFailure } from './limits.ts';
import {
  type CodeCode,
  type InstructionCode,
  type Program,
  programSources,
  type StepCode,
} from './program.ts';
import type { CodeFrame, WorkDirective } from './records.ts';
import { failed, failureOf, isFailure, type StepEnd } from './step-end.ts';
import { tellOfQuestion } from './steps/ask.ts';
import { generate } from './steps/generate.ts';
import { receiveInstruction } from './steps/instruction.ts';
import { store } from './steps/store.ts';
import { receiveToolCall } from './steps/tool-loop.ts';
import { dictionary } from './turn.ts';

/** Calls that a model may make in one step of the code: it does whole tasks, like a playbook. */
const MAX_CALLS = 32;
const MAX_TOOL_ERRORS = 8;
/** Decisions of a turn: code that goes round in circles ends. Each decision reads all that were made before. */
const MAX_ROUNDS = 10_000;
const ANSWER = 'answer';

/**
 * Compiles the code of a validated skill.
 * @throws RangeError if the skill has no code; callers resolve the mode first
 */
export function compileCode(skill: Skill): Program {
  const { code, name, servers } = skill;
  if (code === null) throw new RangeError(`skill "${name}" has no code to compile`);
  const step: CodeCode = {
    kind: 'code',
    name,
    label: name,
    traceName: name,
    when: null,
    onError: 'abort',
    saveAs: '',
    ref: code.ref,
  };
  return {
    kind: 'flow',
    name,
    tools: servers,
    sources: programSources(skill.sources, servers.length === 0),
    vars: new Map(),
    assets: new Map(),
    limits: code.limits,
    lists: [[step]],
  };
}

/** What became of the code, or of what was done for it. `next`: the frame goes on at once. */
export type CodeEnd = StepEnd | 'next';

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

function positionOf(step: CodeCode, frame: CodeFrame): CodePosition {
  return { code: step.ref, journal: `${frame.path}.journal`, rounds: frame.rounds };
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

/** What was wanted is done: the code is asked what comes next. */
function tell(cursor: Cursor, frame: CodeFrame, event: CodeEvent): 'next' {
  frame.event = event;
  frame.directive = null;
  frame.done++;
  cursor.scope.step = null;
  cursor.turn.touch(cursor.scope);
  return 'next';
}

function receiveReply(cursor: Cursor, frame: CodeFrame, result: StepResult): CodeEnd {
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

function askAction(cursor: Cursor, step: CodeCode, frame: CodeFrame, wanted: ActDirective): StepEnd {
  const { action: tool, input, effect, timeoutMs } = wanted;
  const args = isRecord(input) ? input : { input };
  return askCall(cursor, positionOf(step, frame), { server: ACTION_CLASS, tool, args, effect }, timeoutMs);
}

type CommandDirective = Extract<Directive, { do: 'command' }>;

/** What a worker needs beyond the time of a command: to start it, to end it, and to keep what it wrote. */
const COMMAND_GRACE_MS = 60_000;
const COMMAND_TOOL = 'run';

function askCommand(cursor: Cursor, step: CodeCode, frame: CodeFrame, wanted: CommandDirective): StepEnd {
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

function receiveAction(cursor: Cursor, frame: CodeFrame, result: StepResult): CodeEnd {
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

function askPerson(cursor: Cursor, wanted: AskDirective): StepEnd {
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

function receiveAnswers(cursor: Cursor, frame: CodeFrame, result: StepResult): CodeEnd {
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

/** The tools a generation may use, of those that the skill lists: null stands for all of them. */
function toolsFor({ tools, sources }: Program, wanted: readonly string[] | null): readonly string[] | null {
  if (wanted === null) return tools;
  // A list that only the sources bound is narrowed when they have been resolved.
  if (sources?.alone === true || tools === null) return wanted;
  return wanted.filter((entry) => tools.includes(entry) || tools.includes(entry.split(':', 1)[0] ?? ''));
}

/** What the trace and the tool loop see of a piece of work. */
function workStep(cursor: Cursor, step: CodeCode, frame: CodeFrame, wanted: WorkDirective): StepCode {
  const common = { ...step, name: wanted.step, label: wanted.step, traceName: wanted.step };
  switch (wanted.do) {
    case 'generate':
      return {
        ...common,
        kind: 'instruction',
        saveAs: wanted.step,
        onEmpty: 'continue',
        onEmptyValue: null,
        system: wanted.system,
        text: null,
        onServer: null,
        tools: toolsFor(cursor.program, wanted.tools),
        model: wanted.model,
        sampling: null,
        responseSchema: wanted.schema,
        oneOf: null,
        maxCalls: MAX_CALLS,
        maxToolErrors: MAX_TOOL_ERRORS,
        onEmptyRetries: 0,
        timeoutMs: 0,
        talk: {
          conversation: `${frame.path}.talk`,
          round: frame.talked,
          earlier: frame.generations[wanted.step] ?? 0,
        },
      };
    case 'act':
    case 'command':
      return {
        ...common,
        kind: 'call',
        onEmpty: 'continue',
        onEmptyValue: null,
        ...(wanted.do === 'act'
          ? { server: ACTION_CLASS, tool: wanted.action }
          : { server: COMMAND_CLASS, tool: COMMAND_TOOL }),
        onServer: null,
        args: compileArguments({}),
        timeoutMs: 0,
      };
    case 'ask':
      return {
        ...common,
        kind: 'ask',
        question: parseTemplate(''),
        options: [],
        timeoutMs: 0,
        onTimeout: 'fail',
        onTimeoutValue: parseTemplate(''),
      };
  }
}
