import type {
  CallJob,
  DelegateJob,
  ErrorCode,
  GenerateJob,
  Json,
  JsonObject,
  MemoryJob,
  StepJob,
  StepResult,
} from '@skillyard/contracts';
import { joinFill, readPath } from '@skillyard/engine';
import type { AnswerOrder } from './answer-order.ts';
import { jobPlace, RequestLog } from './request-log.ts';
import type { Answer, CaseScript, RunnerAnswer } from './script.ts';

/** What a double gives back: a step result without its job. */
type Outcome = Omit<StepResult, 'jobId'>;

/**
 * The scripted world of a case. Answers at once, so that nothing but the order of the questions decides.
 *
 * D1 A double whose key is absent is not configured: its work fails, and was never sent.
 * D2 Within a double a name that is missing fails with an error.
 * D3 Entries of a list are given in order, and the last one repeats.
 * D4 An asset that cannot be had is empty text, and its step stays ok.
 */
export class Doubles {
  readonly log = new RequestLog();
  readonly #script: CaseScript;
  readonly #order: AnswerOrder;

  constructor(script: CaseScript, order: AnswerOrder) {
    this.#script = script;
    this.#order = order;
  }

  execute(job: StepJob): StepResult {
    return { jobId: job.id, ...this.#answer(job) };
  }

  #answer(job: StepJob): Outcome {
    switch (job.kind) {
      case 'generate':
        return this.#generate(job);
      case 'call':
        return this.#call(job);
      case 'delegate':
        return this.#delegate(job);
      case 'asset': {
        if (this.#script.assets === undefined) return { status: 'ok', text: '' };
        this.log.asset(job);
        const text = own(this.#script.assets, job.name);
        return { status: 'ok', text: typeof text === 'string' ? text : '' };
      }
      case 'memory':
        return this.#memory(job);
      case 'ask':
        return failed('EXECUTOR_MISSING', 'recorded cases have nobody to ask');
      case 'decide':
        return failed('EXECUTOR_MISSING', 'recorded cases have no code');
    }
  }

  #generate(job: GenerateJob): Outcome {
    const { runner } = this.#script;
    if (runner === undefined) return failed('EXECUTOR_MISSING', 'no model is configured');
    this.log.runner(job);
    const answer = this.#next<RunnerAnswer>('runner', runner, job.step, job);
    if (answer === undefined) return failed('STEP_FAILED', `the script has no answer for step "${job.step}"`);
    const counts = {
      ...(answer.calls !== undefined && { calls: answer.calls }),
      ...(answer.calls_failed !== undefined && { callsFailed: answer.calls_failed }),
      ...(answer.note !== undefined && { note: answer.note }),
    };
    return { ...outcomeOf(answer), ...(answer.truncated === true && { status: 'truncated' }), ...counts };
  }

  #call(job: CallJob): Outcome {
    const { caller } = this.#script;
    if (caller === undefined)
      return { ...failed('EXECUTOR_MISSING', 'no tool caller is configured'), sent: false };
    const args = filledArguments(job, (handle) => own(this.#script.memory ?? {}, handle));
    this.log.caller(job, args);
    const tool = `${job.server}:${job.tool}`;
    const answer = this.#next('caller', caller, tool, job);
    return answer === undefined
      ? failed('TOOL_UNKNOWN', `the script has no answer for tool "${tool}"`)
      : outcomeOf(answer);
  }

  #delegate(job: DelegateJob): Outcome {
    const { delegate } = this.#script;
    if (delegate === undefined) return failed('EXECUTOR_MISSING', 'nothing is configured to delegate to');
    this.log.delegate(job);
    const answer = this.#next('delegate', delegate, job.skill, job);
    return answer === undefined
      ? failed('SKILL_NOT_FOUND', `the script has no skill "${job.skill}"`)
      : outcomeOf(answer);
  }

  #memory(job: MemoryJob): Outcome {
    const whole = own(this.#script.memory ?? {}, job.handle);
    return whole === undefined ? { status: 'empty', text: '' } : readMemory(whole, job);
  }

  #next<A>(
    double: string,
    lists: Readonly<Record<string, readonly A[]>>,
    name: string,
    job: StepJob,
  ): A | undefined {
    const list = own(lists, name);
    if (list === undefined || list.length === 0) return undefined;
    return list[this.#order.entry(`${double} ${name}`, list.length, jobPlace(job))];
  }
}

/** What a memory job asks for, as the driver reads it out of the whole value. */
function readMemory(whole: string, job: MemoryJob): Outcome {
  const answer = readPath(whole, job.at, job.notes);
  if (answer.found) return { status: 'ok', text: answer.text };
  return failed('REFERENCE_UNRESOLVED', answer.miss ?? answer.gone ?? 'it leads nowhere');
}

/** Puts the values that a call holds by reference into its arguments, as the worker that makes the call does. */
export function filledArguments(job: CallJob, read: (handle: string) => string | undefined): JsonObject {
  const args = structuredClone(job.args);
  for (const { at, parts } of job.fill) {
    const { text } = joinFill(parts, read, job.notes);
    let place: Json = args;
    for (const key of at.slice(0, -1)) place = (place as Record<string | number, Json>)[key] ?? null;
    const last = at.at(-1);
    if (last !== undefined && typeof place === 'object' && place !== null) {
      Object.defineProperty(place, last, {
        value: text,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return args;
}

function outcomeOf(answer: Answer): Outcome {
  const text = answer.text ?? '';
  if (answer.denied === true) {
    return { status: 'denied', text, error: { code: 'STEP_DENIED', message: answer.error ?? '' } };
  }
  return answer.error === undefined
    ? { status: 'ok', text }
    : { ...failed('STEP_FAILED', answer.error), text };
}

function failed(code: ErrorCode, message: string): Outcome {
  return { status: 'error', text: '', error: { code, message } };
}

/** A script may use names such as `constructor`. */
function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
