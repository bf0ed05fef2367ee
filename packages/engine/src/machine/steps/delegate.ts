import type { DelegateJob, StepResult } from '@skillyard/contracts';
import { expandTemplate } from '../../flow/template.ts';
import type { Cursor } from '../cursor.ts';
import type { DelegateCode } from '../program.ts';
import { failureOf, isFailure, type StepEnd } from '../step-end.ts';
import { judgeEmpty, store } from './store.ts';

/** `delegate`: another skill answers, under its own radius. Its name is not a template. */
export function enterDelegate(cursor: Cursor, step: DelegateCode): StepEnd {
  const task = expandTemplate(step.task, cursor, 'model').text;
  if (cursor.suspended()) return 'wait';
  const state = cursor.state();
  state.stage = 'job';
  state.note = cursor.gone;
  const job: DelegateJob = {
    id: cursor.jobId('d'),
    turnId: cursor.turn.id,
    path: cursor.path,
    step: step.name,
    kind: 'delegate',
    skill: step.skill,
    task,
  };
  cursor.ask(job, step.timeoutMs);
  return 'wait';
}

export function receiveDelegate(cursor: Cursor, step: DelegateCode, result: StepResult): StepEnd {
  cursor.countTokens(result.usage);
  if (isFailure(result)) return { failure: failureOf(result), calls: 0, callsFailed: 0 };
  const state = cursor.state();
  state.calls = 1;
  state.stage = 'settle';
  state.text = result.text;
  return settleDelegate(cursor, step);
}

export function settleDelegate(cursor: Cursor, step: DelegateCode): StepEnd {
  const state = cursor.state();
  const judged = judgeEmpty(cursor, step, state.text, state);
  if (judged === 'wait' || judged === 'retry') return 'wait';
  if ('failed' in judged) return judged.failed;
  store(cursor, step.saveAs, judged.text, 'delegate');
  const reason = judged.used
    ? 'the answer was empty: on_empty_value was used'
    : `answered by skill "${step.skill}"`;
  cursor.row(state.note === '' ? 'ok' : 'degraded', state.note === '' ? reason : state.note, 1, 0);
  return 'done';
}
