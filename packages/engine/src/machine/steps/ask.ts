import type { AskJob, Question, QuestionEvent, StepResult } from '@skillyard/contracts';
import { expandTemplate } from '../../flow/template.ts';
import type { Cursor } from '../cursor.ts';
import type { AskCode } from '../program.ts';
import { failureOf, isFailure, type StepEnd } from '../step-end.ts';
import { store } from './store.ts';

/** `ask`: a question to a person (format 2.5.0). The turn waits without holding a worker. */
export function enterAsk(cursor: Cursor, step: AskCode): StepEnd {
  const question = expandTemplate(step.question, cursor, 'model').text;
  const options = step.options.map((option) => ({
    value: option.value,
    label: expandTemplate(option.label, cursor, 'model').text || option.value,
  }));
  const form: Question =
    options.length === 0 ? { kind: 'text', text: question } : { kind: 'choice', text: question, options };
  if (cursor.suspended()) return 'wait';
  cursor.state().stage = 'job';
  const job: AskJob = {
    id: cursor.jobId('q'),
    turnId: cursor.turn.id,
    path: cursor.path,
    step: step.name,
    kind: 'ask',
    questions: [form],
  };
  cursor.ask(job, step.timeoutMs);
  tellOfQuestion(cursor, 'question.asked');
  return 'wait';
}

export function receiveAsk(cursor: Cursor, step: AskCode, result: StepResult): StepEnd {
  const state = cursor.state();
  if (isFailure(result)) {
    if (result.error?.code === 'STEP_TIMEOUT') tellOfQuestion(cursor, 'question.expired');
    if (result.error?.code !== 'STEP_TIMEOUT' || step.onTimeout === 'fail') {
      return { failure: failureOf(result), calls: 0, callsFailed: 0 };
    }
    state.note = 'nobody answered in time: on_timeout_value was used';
  } else {
    tellOfQuestion(cursor, 'question.answered');
  }
  state.stage = 'settle';
  state.text = result.text;
  return settleAsk(cursor, step);
}

export function settleAsk(cursor: Cursor, step: AskCode): StepEnd {
  const state = cursor.state();
  const late = state.note !== '';
  const text = late ? expandTemplate(step.onTimeoutValue, cursor, 'model').text : state.text;
  if (cursor.suspended()) return 'wait';
  store(cursor, step.saveAs === '' ? 'answer' : step.saveAs, text, 'ask');
  cursor.row('ok', late ? state.note : 'answered');
  return 'done';
}

/** Says what became of the question, for whoever shows it to people. */
export function tellOfQuestion(cursor: Cursor, type: QuestionEvent['type']): void {
  const { path, nowMs } = cursor;
  cursor.advance.events.push({ type, path, jobId: cursor.jobId('q'), atMs: nowMs });
}
