import { type CallJob, SkillyardError, type StepResult, type WorkingMemory } from '@skillyard/contracts';
import { withDeadline } from '../deadline.ts';
import type { Executor, JobContext } from '../executor.ts';
import { storeLarge } from '../memory/preview.ts';
import type { Redact } from '../redaction.ts';
import { abortError, failure, failureOf, type Outcome, settle } from '../step-failure.ts';
import { checkArguments } from './argument-check.ts';
import { fillArguments } from './fill-arguments.ts';
import type { ToolAnswer } from './tool-server.ts';
import type { ToolServers } from './tool-servers.ts';

export interface CallExecutorOptions {
  readonly servers: ToolServers;
  readonly memory: WorkingMemory;
  readonly previewBytes: number;
  readonly redact: Redact;
}

const LONGEST_REASON = 2000;
/** How a tool says that it refused for want of permission: MCP has no word of its own for it. */
const DENIED = /^\s*DENIED:\s*/;
/** How servers built on the official SDKs report arguments they refused, inside an ordinary result. */
const REFUSED_ARGUMENTS = /^\s*(MCP error -32602|Input validation error)/;

/**
 * Makes one tool call.
 *
 * C1 Nothing is sent before the arguments are complete, the tool is known and its schema is satisfied.
 * C2 A call that may have reached a `once` tool is `lost` when its server dies under it. One that takes too long fails
 *    with TOOL_TIMEOUT and `sent`, and a driver repeats what was sent for repeatable tools only.
 */
export class CallExecutor implements Executor<CallJob> {
  readonly #options: CallExecutorOptions;

  constructor(options: CallExecutorOptions) {
    this.#options = options;
  }

  execute(job: CallJob, context: JobContext): Promise<StepResult> {
    return settle(job, context, () => this.#call(job, context.signal));
  }

  async #call(job: CallJob, signal: AbortSignal): Promise<Outcome> {
    const progress: Progress = { sent: false };
    try {
      if (job.timeoutMs === undefined) return await this.#attempt(job, signal, progress);
      const late = new SkillyardError(
        'STEP_TIMEOUT',
        `${nameOf(job)} did not answer within the step's timeout of ${job.timeoutMs} ms.`,
      );
      return await withDeadline(signal, job.timeoutMs, late, (limited) =>
        this.#attempt(job, limited, progress),
      );
    } catch (error) {
      const failed = signal.aborted ? abortError(signal) : error;
      if (!SkillyardError.is(failed)) throw failed;
      return await this.#failed(job, failed, progress, signal);
    }
  }

  async #attempt(job: CallJob, signal: AbortSignal, progress: Progress): Promise<Outcome> {
    const { servers, memory } = this.#options;
    const { args: filled, note } = await fillArguments(job, memory);
    const tool = await servers.tool(job.server, job.tool, signal);
    const checked = checkArguments(tool.inputSchema, filled, job.origin === 'step');
    if (!checked.ok) {
      const message = `${nameOf(job)} does not take these arguments: ${checked.problem}.`;
      return { ...failure('TOOL_ARGUMENTS_INVALID', message), sent: false, miss: true };
    }
    progress.sent = true;
    const timeoutMs = servers.callTimeoutMs(job.server);
    const answer = await servers
      .server(job.server)
      .call(job.tool, checked.args, { timeoutMs, signal, turnId: job.turnId });
    const outcome = await this.#outcome(job, answer);
    return note === undefined ? outcome : { ...outcome, note };
  }

  async #outcome(job: CallJob, answer: ToolAnswer): Promise<Outcome> {
    const { memory, previewBytes, redact } = this.#options;
    if (answer.failed) return { ...failedTool(job, answer.text), sent: true };
    const whole = redact(answer.text);
    // What memory_read gives is a part of a stored value already.
    const text = job.server === 'builtin' ? whole : await storeLarge(memory, job, whole, previewBytes);
    return { status: text.trim() === '' ? 'empty' : 'ok', text, sent: true };
  }

  /** The failure of a call, with the code that says whether it may be made again (rule C2). */
  async #failed(
    job: CallJob,
    error: SkillyardError,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<Outcome> {
    // The connection knows best; what failed around it (working memory) says nothing of it.
    const sent = typeof error.details['sent'] === 'boolean' ? error.details['sent'] : progress.sent;
    const miss = error.code === 'TOOL_ARGUMENTS_INVALID' || error.code === 'TOOL_UNKNOWN';
    if (!sent || error.kind !== 'retryable') return { ...failureOf(error), sent, ...(miss && { miss }) };
    const effect = await this.#options.servers.effectOf(job.server, job.tool, signal);
    // A tool that is too slow is still there: what failed is the step, and a model may be told so.
    if (effect !== 'once' || error.code === 'TOOL_TIMEOUT') return { ...failureOf(error), sent };
    const message = `${error.message} ${nameOf(job)} may have been carried out, so it is not repeated. If a repeat does no harm, declare it: servers.${job.server}.effects.${job.tool}: idempotent.`;
    return { ...failure('STEP_LOST', message), status: 'lost', sent };
  }
}

/** How far a call has come. */
interface Progress {
  /** The request may have reached the tool. */
  sent: boolean;
}

const nameOf = (job: CallJob): string => `${job.server}:${job.tool}`;

function failedTool(job: CallJob, text: string): Outcome {
  const reason = text.trim().slice(0, LONGEST_REASON);
  if (DENIED.test(reason))
    return failure('TOOL_DENIED', `${nameOf(job)} refused: ${reason.replace(DENIED, '')}`);
  if (REFUSED_ARGUMENTS.test(reason)) {
    return {
      ...failure('TOOL_ARGUMENTS_INVALID', `${nameOf(job)} refuses the arguments: ${reason}`),
      miss: true,
    };
  }
  return failure('TOOL_FAILED', `${nameOf(job)} failed: ${reason === '' ? 'it gave no reason' : reason}`);
}
