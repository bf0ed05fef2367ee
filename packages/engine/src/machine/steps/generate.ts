import type { GenerateJob } from '@skillyard/contracts';
import type { Cursor } from '../cursor.ts';
import { limitFailure } from '../limits.ts';
import type { InstructionCode } from '../program.ts';
import { toolsOfServer, toolsOfStep } from '../radius.ts';
import type { StepState } from '../records.ts';
import { failed, type StepEnd } from '../step-end.ts';

/**
 * Asks for one generation.
 * @param text the instruction; empty after the first round, when the conversation holds it
 */
export function generate(cursor: Cursor, step: InstructionCode, text: string): StepEnd {
  const limit = limitFailure(cursor, 'generations');
  if (limit !== undefined) return limit;
  const state = cursor.state();
  const left = step.timeoutMs > 0 ? step.timeoutMs - (cursor.nowMs - state.startedAtMs) : 0;
  if (left < 0) return failed('STEP_TIMEOUT', `took longer than ${step.timeoutMs} ms`, state);
  state.stage = 'model';
  cursor.turn.spend('generations', 1);
  const job: GenerateJob = {
    id: cursor.jobId(`g${state.attempt}.${state.round}`),
    turnId: cursor.turn.id,
    path: cursor.path,
    step: step.name,
    kind: 'generate',
    model: step.model,
    instruction: text,
    tools: radius(cursor, step, state),
    toolChoice: state.final ? 'none' : 'auto',
    maxCalls: step.maxCalls,
    maxToolErrors: step.maxToolErrors,
    sampling: step.sampling,
    responseSchema: step.responseSchema,
    oneOf: step.oneOf === null ? null : [...step.oneOf],
    conversation: step.talk?.conversation ?? `${cursor.path}.g${state.attempt}`,
    round: (step.talk?.round ?? 0) + state.round,
    replies: state.replies.filter((reply) => reply !== null),
  };
  if (step.system !== '') job.system = step.system;
  if (step.talk !== undefined) job.goesOn = step.talk.earlier + state.round;
  cursor.ask(job, left);
  return 'wait';
}

function radius({ turn }: Cursor, step: InstructionCode, state: StepState): string[] | null {
  if (state.server !== '') return [...toolsOfServer(turn, state.server)];
  const tools = toolsOfStep(turn, step);
  return tools === null ? null : [...tools];
}
