/**
 * The tool loop of a model step, held by the machine: generation, tool calls, next generation.
 *
 * L1 Every call is a job of its own: a worker that dies loses one job, and a finished call is never repeated.
 * L2 A call counts against `max_calls` when it was made. A miss (a call the tool or the radius refused) does not; more
 *    misses than `max_tool_errors` forgives end the loop.
 * L3 When the loop ends before the model is done, it gets one last generation without tools, and the step is degraded
 *    with the reason: an honest partial answer beats none.
 */
import type { CallJob, StepResult, ToolReply, ToolRequest } from '@skillyard/contracts';
import type { Cursor } from '../cursor.ts';
import { limitFailure } from '../limits.ts';
import type { InstructionCode } from '../program.ts';
import { radiusRefusal } from '../radius.ts';
import type { StepState } from '../records.ts';
import { failureOf, isFailure, type StepEnd } from '../step-end.ts';
import { generate } from './generate.ts';

/** Calls a model step may make when the skill does not say. */
const DEFAULT_MAX_CALLS = 8;
/** Misses forgiven beyond that when the skill does not say. */
const DEFAULT_MAX_TOOL_ERRORS = 2;

/** The ceilings of a step, the defaults put in (0 is none of its own). */
export function toolLoopCeilings(step: { readonly maxCalls: number; readonly maxToolErrors: number }): {
  readonly calls: number;
  readonly misses: number;
} {
  return {
    calls: step.maxCalls > 0 ? step.maxCalls : DEFAULT_MAX_CALLS,
    misses: step.maxToolErrors > 0 ? step.maxToolErrors : DEFAULT_MAX_TOOL_ERRORS,
  };
}

/** Asks for the calls of one round, all at once. */
export function startCalls(cursor: Cursor, step: InstructionCode, requests: ToolRequest[]): StepEnd {
  const state = cursor.state();
  state.stage = 'tools';
  state.requests = requests;
  state.replies = requests.map(() => null);
  const ceiling = toolLoopCeilings(step).calls;
  for (const [index, request] of requests.entries()) {
    const refused = request.refused ?? outside(cursor, request);
    if (refused !== undefined) {
      miss(state);
      state.calls++;
      state.callsFailed++;
      state.replies[index] = reply(request, `ERROR: ${refused}`, true);
    } else if (state.used >= ceiling) {
      endLoop(state, `the model wanted more calls than max_calls (${ceiling}) allows`);
      state.replies[index] = reply(
        request,
        `ERROR: not called, the limit of ${ceiling} calls is reached`,
        true,
      );
    } else {
      const limit = limitFailure(cursor, 'calls');
      if (limit !== undefined) return limit;
      askCall(cursor, step, state, request, index);
    }
  }
  return cursor.scope.open.length > 0 ? 'wait' : nextRound(cursor, step, state);
}

/** A model is only shown the tools of its radius; what bounds a turn does not rest on who shows them. */
function outside(cursor: Cursor, { server, tool }: ToolRequest): string | undefined {
  const { turn } = cursor;
  return turn.header.radius === undefined ? undefined : radiusRefusal(turn, server, tool);
}

function askCall(
  cursor: Cursor,
  step: InstructionCode,
  state: StepState,
  request: ToolRequest,
  index: number,
): void {
  state.used++;
  cursor.turn.spend('calls', 1);
  const left = step.timeoutMs > 0 ? Math.max(1, step.timeoutMs - (cursor.nowMs - state.startedAtMs)) : 0;
  const job: CallJob = {
    id: cursor.jobId(`g${state.attempt}.${state.round}.c${index}`),
    turnId: cursor.turn.id,
    path: cursor.path,
    step: step.name,
    kind: 'call',
    server: request.server,
    tool: request.tool,
    args: request.args,
    fill: [],
    notes: [],
    origin: 'model',
  };
  cursor.ask(job, left);
}

/** One call came back. The next generation starts when all of the round have. */
export function receiveToolCall(cursor: Cursor, step: InstructionCode, result: StepResult): StepEnd {
  const state = cursor.state();
  const index = Number(result.jobId.slice(result.jobId.lastIndexOf('.c') + 2));
  const request = state.requests[index];
  if (request === undefined) throw new RangeError(`no call ${index} in this round of "${step.label}"`);
  const wasFailure = isFailure(result);
  state.calls++;
  if (wasFailure) state.callsFailed++;
  if (result.status === 'lost') {
    return { failure: failureOf(result), calls: state.calls, callsFailed: state.callsFailed };
  }
  if (result.miss === true) {
    miss(state);
    state.used--;
  }
  const failure = wasFailure ? failureOf(result) : null;
  const text =
    failure === null ? result.text : `${failure.kind === 'denied' ? 'DENIED' : 'ERROR'}: ${failure.message}`;
  state.replies[index] = reply(request, text, wasFailure);
  return cursor.scope.open.length > 0 ? 'wait' : nextRound(cursor, step, state);
}

function nextRound(cursor: Cursor, step: InstructionCode, state: StepState): StepEnd {
  const forgiven = toolLoopCeilings(step).misses;
  if (state.misses > forgiven)
    endLoop(state, `stopped after ${state.misses} refused calls (max_tool_errors ${forgiven})`);
  state.round++;
  const end = generate(cursor, step, '');
  state.requests = [];
  state.replies = [];
  return end;
}

function endLoop(state: StepState, reason: string): void {
  state.final = true;
  state.note = reason;
}

function miss(state: StepState): void {
  state.misses++;
}

function reply(request: ToolRequest, text: string, wasFailure: boolean): ToolReply {
  const tool = request.server === '' ? request.tool : `${request.server}:${request.tool}`;
  return { callId: request.callId, tool, text, failed: wasFailure };
}
