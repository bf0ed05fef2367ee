import type { StepResult } from '@skillyard/contracts';
import { enterCode } from './code-turn.ts';
import type { Cursor } from './cursor.ts';
import type { StepCode } from './program.ts';
import type { StepEnd } from './step-end.ts';
import { enterAsk, receiveAsk, settleAsk } from './steps/ask.ts';
import { enterCall, receiveCall, settleCall } from './steps/call.ts';
import { enterDelegate, receiveDelegate, settleDelegate } from './steps/delegate.ts';
import { enterExit } from './steps/exit.ts';
import { enterForEach } from './steps/for-each.ts';
import { enterIf } from './steps/if.ts';
import { enterInstruction, receiveInstruction, settleInstruction } from './steps/instruction.ts';
import { enterParallel } from './steps/parallel.ts';
import { enterSet } from './steps/set.ts';
import { enterSwitch } from './steps/switch.ts';
import { receiveToolCall } from './steps/tool-loop.ts';

/** Evaluates the current step: from its beginning, or from the point where its result is there. */
export function resumeStep(cursor: Cursor, step: StepCode, stage: 'enter' | 'settle'): StepEnd {
  switch (step.kind) {
    case 'instruction':
      return stage === 'enter' ? enterInstruction(cursor, step) : settleInstruction(cursor, step);
    case 'call':
      return stage === 'enter' ? enterCall(cursor, step) : settleCall(cursor, step);
    case 'delegate':
      return stage === 'enter' ? enterDelegate(cursor, step) : settleDelegate(cursor, step);
    case 'ask':
      return stage === 'enter' ? enterAsk(cursor, step) : settleAsk(cursor, step);
    case 'set':
      return enterSet(cursor, step);
    case 'switch':
      return enterSwitch(cursor, step);
    case 'if':
      return enterIf(cursor, step);
    case 'for_each':
      return enterForEach(cursor, step);
    case 'parallel':
      return enterParallel(cursor, step);
    case 'exit':
      return enterExit(cursor, step);
    case 'code':
      return enterCode(cursor);
  }
}

/** Hands the current step the result of a job it asked for. */
export function receiveStep(cursor: Cursor, result: StepResult): StepEnd {
  const { step } = cursor;
  switch (step.kind) {
    case 'instruction':
      return cursor.state().stage === 'tools'
        ? receiveToolCall(cursor, step, result)
        : receiveInstruction(cursor, step, result);
    case 'call':
      return receiveCall(cursor, step, result);
    case 'delegate':
      return receiveDelegate(cursor, step, result);
    case 'ask':
      return receiveAsk(cursor, step, result);
    default:
      throw new RangeError(`a ${step.kind} step asks for no job`);
  }
}
