import {
  ACTION_CLASS,
  type CallJob,
  classOfCode,
  type CodeHostReply,
  type CodeJournal,
  type CodePosition,
  type CodeRef,
  type CodeRound,
  type DecideJob,
  type Decision,
  type Json,
  SkillyardError,
  type StepError,
  type StepResult,
} from '@skillyard/contracts';
import type { Executor, JobContext } from '../executor.ts';
import { abortError, failure, failureOf, type Outcome, settle } from '../step-failure.ts';
import type { DecisionAsked } from './decision-asked.ts';
import type { HostPool } from './host-pool.ts';
import type { HostDeadline } from './host-process.ts';
import type { ProgramRunner } from './program-runner.ts';

/** A call of an action of the code itself. */
export type ActionJob = CallJob & { readonly at: CodePosition };

export function isAction(job: CallJob): job is ActionJob {
  return classOfCode(job) === ACTION_CLASS;
}

export interface CodeExecutorOptions {
  readonly pool: HostPool;
  readonly programs: ProgramRunner;
  readonly journal: CodeJournal;
  /** What a decision may take, and an action that sets no time of its own. */
  readonly timeoutMs: number;
}

type DecisionReply = Extract<CodeHostReply, { decision: Decision } | { error: StepError }>;

/**
 * Asks the code of a skill what to do, and runs its actions, in a process of its own.
 *
 * K1 A decision is in the journal before its result is given: whoever makes the next one finds it. Made again after a
 *    death, the first one holds.
 * K2 An action that may have begun and must not run twice is `lost` when its process dies under it, as a tool is.
 */
export class CodeExecutor implements Executor<DecideJob | ActionJob> {
  readonly #options: CodeExecutorOptions;

  constructor(options: CodeExecutorOptions) {
    this.#options = options;
  }

  execute(job: DecideJob | ActionJob, context: JobContext): Promise<StepResult> {
    return settle(job, context, () =>
      job.kind === 'decide' ? this.#decide(job, context.signal) : this.#act(job, context.signal),
    );
  }

  close(): Promise<void> {
    return this.#options.pool.close();
  }

  async #decide({ turnId, at, event, ...job }: DecideJob, signal: AbortSignal): Promise<Outcome> {
    const { programs, journal } = this.#options;
    const { code } = at;
    const rounds = await this.#rounds(turnId, at);
    const timeoutMs = job.timeoutMs ?? this.#options.timeoutMs;
    const deadline = { signal, timeoutMs, late: tooLate(code, 'A decision', timeoutMs) };
    const asked = { turnId, code, rounds, event };
    const decided =
      code.runtime === 'program'
        ? await programs.decide(asked, deadline)
        : await this.#askHost(asked, deadline);
    if ('error' in decided) return codeFailure(code, decided.error);
    const { decision, memo } = decided;
    const value = decision as Json;
    // The end of a turn that failed may be decided anew when the turn is redriven.
    if (decision.directive.do === 'end' && decision.directive.error !== null)
      return { status: 'ok', text: '', value };
    const kept = await journal.save(turnId, at.journal, at.rounds, { event, memo }, value);
    return { status: 'ok', text: '', value: kept };
  }

  async #askHost({ code, ...asked }: DecisionAsked, deadline: HostDeadline): Promise<DecisionReply> {
    const host = await this.#options.pool.process(code, 'decide');
    const reply = await host.request({ op: 'decide', ...asked }, deadline);
    if ('value' in reply) throw strangeReply(code, reply);
    return reply;
  }

  async #act(job: ActionJob, signal: AbortSignal): Promise<Outcome> {
    const progress = { sent: false };
    try {
      return await this.#attempt(job, signal, progress);
    } catch (error) {
      const failed = signal.aborted ? abortError(signal) : error;
      if (!SkillyardError.is(failed)) throw failed;
      return failedAction(job, failed, progress.sent);
    }
  }

  async #attempt(job: ActionJob, signal: AbortSignal, progress: { sent: boolean }): Promise<Outcome> {
    const { turnId, at, step, args: input } = job;
    const rounds = await this.#rounds(turnId, at);
    const timeoutMs = job.timeoutMs ?? this.#options.timeoutMs;
    const late = tooLate(at.code, `The action "${job.tool}"`, timeoutMs);
    const host = await this.#options.pool.process(at.code, 'act');
    progress.sent = true;
    const reply = await host.request({ op: 'act', turnId, rounds, step, input }, { signal, timeoutMs, late });
    if ('error' in reply) {
      // What an action says that was told to stop is no failure of its own.
      signal.throwIfAborted();
      return { ...codeFailure(at.code, reply.error, job.tool), sent: true };
    }
    if (!('value' in reply)) throw strangeReply(at.code, reply);
    const { value } = reply;
    return { status: 'ok', text: typeof value === 'string' ? value : JSON.stringify(value), value };
  }

  async #rounds(turnId: DecideJob['turnId'], { journal, rounds, code }: CodePosition): Promise<CodeRound[]> {
    const kept = await this.#options.journal.load(turnId, journal, rounds);
    if (kept.length === rounds) return kept;
    throw new SkillyardError(
      'CODE_FAILED',
      `The turn of the skill "${code.name}" cannot go on: of its ${rounds} decisions ${kept.length} are kept. Submit it anew.`,
      { details: { sent: false } },
    );
  }
}

function tooLate({ name }: CodeRef, what: string, timeoutMs: number): SkillyardError {
  return new SkillyardError(
    'CODE_TIMEOUT',
    `${what} of the skill "${name}" did not end within ${timeoutMs} ms and was stopped. Look for what it waits for, or give it more time with code.timeout.`,
    { details: { sent: true } },
  );
}

function codeFailure({ name }: CodeRef, { code, message }: StepError, action?: string): Outcome {
  const what =
    action === undefined
      ? `The code of the skill "${name}"`
      : `The action "${action}" of the skill "${name}"`;
  // An action that watches its own time: what the driver says of one that does not.
  if (code === 'ACTION_TIMEOUT') return failure('STEP_TIMEOUT', `${what} was stopped: ${message}`);
  return failure('CODE_FAILED', `${what} failed: ${message} (${code})`);
}

function strangeReply({ name }: CodeRef, reply: CodeHostReply): SkillyardError {
  const kind = Object.keys(reply).join(', ');
  return new SkillyardError(
    'CODE_FAILED',
    `The code of the skill "${name}" gave an answer to another question: ${kind}.`,
  );
}

function failedAction(job: ActionJob, error: SkillyardError, wasSent: boolean): Outcome {
  const sent = typeof error.details['sent'] === 'boolean' ? error.details['sent'] : wasSent;
  if (!sent || error.code !== 'CODE_UNAVAILABLE' || (job.effect ?? 'once') !== 'once')
    return { ...failureOf(error), sent };
  const message = `${error.message} The action "${job.tool}" may have been carried out, so it is not repeated. If a repeat does no harm, say so: action({effect: 'idempotent'}).`;
  return { ...failure('STEP_LOST', message), status: 'lost', sent };
}
