import {
  type ConversationStore,
  type GenerateJob,
  SkillyardError,
  type StepResult,
} from '@skillyard/contracts';
import { withDeadline } from '../deadline.ts';
import type { Executor, JobContext } from '../executor.ts';
import { failure, type Outcome, settle } from '../step-failure.ts';
import type { ToolCatalog, ToolDescription } from '../tools/tool-servers.ts';
import { type AnswerFormat, answerFormat } from './answer-format.ts';
import { FINAL_REQUEST, type Message, type ReplyPart } from './message.ts';
import type { Generation, OfferedTool } from './model-client.ts';
import type { ChosenModel, ModelRegistry } from './model-registry.ts';
import { radiusTools } from './radius-tools.ts';
import { offerTools } from './tool-names.ts';
import { toolRequests } from './tool-requests.ts';

export interface GenerateExecutorOptions {
  readonly models: ModelRegistry;
  readonly tools: ToolCatalog;
  readonly conversations: ConversationStore<Message>;
}

/**
 * Makes one generation of a model step.
 *
 * G1 One generation per job. What the model wants called goes back as requests; the machine makes them jobs.
 * G2 A round is saved only when another one may follow, and before its result is given: who runs the next round finds it.
 * G3 A model sees the tools of the job's radius and no others, beside `builtin:memory_read` where a text refers to
 *    working memory.
 */
export class GenerateExecutor implements Executor<GenerateJob> {
  readonly #options: GenerateExecutorOptions;

  constructor(options: GenerateExecutorOptions) {
    this.#options = options;
  }

  execute(job: GenerateJob, context: JobContext): Promise<StepResult> {
    return settle(job, context, () => this.#generate(job, context.signal));
  }

  async #generate(job: GenerateJob, signal: AbortSignal): Promise<Outcome> {
    const model = this.#options.models.choose(job.model);
    const radius = job.tools ?? [];
    const mayCall = job.toolChoice === 'auto' && radius.length > 0;
    const format = answerFormat(job, model.name, {
      structured: model.config.structured_output === true,
      offersTools: mayCall,
      schemaForbidsCalls: model.config.provider === 'openai-compatible',
    });
    const history = await this.#history(job);
    const asked = question(job, history);
    const messages = [...history, ...asked];
    // Providers want the tools declared for as long as the conversation holds calls of them.
    const described =
      radius.length > 0 && (mayCall || job.round > 0) ? await this.#offered(radius, messages, signal) : [];
    const tools = offerTools(described);
    const told = [job.system, ...described.map((tool) => tool.guide), format.system];
    const system = told.filter((text) => text !== undefined).join('\n\n');
    const generation = await this.#ask(job, model, { format, system, messages, tools, mayCall }, signal);

    const requests = mayCall && generation.finish === 'done' ? toolRequests(generation.calls, tools) : [];
    const usage = generation.usage === undefined ? {} : { usage: generation.usage };
    const answer = requests.length === 0 ? readAnswer(job, model, format, generation) : null;
    if (answer === null || (job.goesOn !== undefined && answer.error === undefined)) {
      await this.#options.conversations.save(job.turnId, job.conversation, job.round, [
        ...asked,
        { role: 'assistant', parts: generation.parts },
      ]);
    }
    if (answer !== null) return { ...answer, ...usage };
    return { status: 'ok', text: generation.text, toolRequests: requests, ...usage, ...noteOf(generation) };
  }

  async #history(job: GenerateJob): Promise<Message[]> {
    if (job.round === 0) return [];
    const history = await this.#options.conversations.load(job.turnId, job.conversation, job.round);
    const rounds = history.filter((message) => message.role === 'assistant').length;
    if (rounds >= job.round) return history;
    throw new SkillyardError(
      'MEMORY_UNKNOWN',
      `The conversation of the step "${job.step}" has gone: ${rounds} of ${job.round} rounds are left. Run the turn again.`,
    );
  }

  async #offered(
    radius: readonly string[],
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<ToolDescription[]> {
    const entries = messages.some(mentionsMemory) ? [...radius, 'builtin:memory_read'] : radius;
    return radiusTools(entries, this.#options.tools, signal);
  }

  async #ask(job: GenerateJob, model: ChosenModel, ask: Ask, signal: AbortSignal): Promise<Generation> {
    const ownTimeout = job.timeoutMs !== undefined && job.timeoutMs <= model.timeoutMs;
    const timeoutMs = ownTimeout ? (job.timeoutMs ?? model.timeoutMs) : model.timeoutMs;
    const late = ownTimeout
      ? new SkillyardError(
          'STEP_TIMEOUT',
          `The model "${model.name}" did not answer within the step's timeout of ${timeoutMs} ms.`,
        )
      : new SkillyardError(
          'MODEL_TIMEOUT',
          `The model "${model.name}" did not answer within ${timeoutMs} ms. Give it more time with models.${model.name}.timeout.`,
        );
    return withDeadline(signal, timeoutMs, late, (limited) =>
      model.client.generate({
        step: job.step,
        conversation: job.conversation,
        round: job.round,
        ...(job.goesOn !== undefined && { ofStep: job.goesOn }),
        messages: ask.messages,
        tools: ask.tools,
        toolChoice: ask.mayCall ? 'auto' : 'none',
        sampling: job.sampling ?? {},
        signal: limited,
        ...(ask.system !== '' && { system: ask.system }),
        ...(ask.format.schema !== undefined && { schema: ask.format.schema }),
        ...(model.config.max_output_tokens !== undefined && {
          maxOutputTokens: model.config.max_output_tokens,
        }),
      }),
    );
  }
}

/** What a model is asked in one generation. */
interface Ask {
  readonly format: AnswerFormat;
  /** What it is told before the conversation; empty when nothing. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  readonly mayCall: boolean;
}

/** What this round adds to the conversation before the model speaks. */
function question(job: GenerateJob, history: readonly Message[]): Message[] {
  if (job.round === 0) return [{ role: 'user', text: job.instruction }];
  const last = history.at(-1);
  const calls = last?.role === 'assistant' ? last.parts.filter((part) => part.type === 'call') : [];
  const replies = calls.map(({ callId, name }): ReplyPart => {
    const reply = job.replies.find((candidate) => candidate.callId === callId);
    // A provider refuses a conversation with a call that nobody answered.
    return { callId, name, text: reply?.text ?? 'ERROR: not called', failed: reply?.failed ?? true };
  });
  const answered: Message[] = replies.length === 0 ? [] : [{ role: 'tool', replies }];
  // Another instruction in the same conversation: those before it are done with.
  if (job.goesOn !== undefined && job.instruction !== '')
    return [...answered, { role: 'user', text: job.instruction }];
  const final: Message[] = job.toolChoice === 'none' ? [{ role: 'user', text: FINAL_REQUEST }] : [];
  return [...answered, ...final];
}

function mentionsMemory(message: Message): boolean {
  if (message.role === 'user') return message.text.includes('[mem:');
  return message.role === 'tool' && message.replies.some((reply) => reply.text.includes('[mem:'));
}

/** The result of a generation that ends the step. */
function readAnswer(
  job: GenerateJob,
  model: ChosenModel,
  format: AnswerFormat,
  generation: Generation,
): Outcome {
  const { text, finish } = generation;
  if (finish === 'filtered') {
    return failure(
      'MODEL_REFUSED',
      `The provider of the model "${model.name}" filtered the answer. Reword the instruction.`,
    );
  }
  if (finish === 'failed')
    return failure('MODEL_UNAVAILABLE', `The model "${model.name}" broke off while it answered.`);
  if (finish === 'length' && job.responseSchema !== null) {
    return failure(
      'MODEL_ANSWER_INVALID',
      `The answer of the model "${model.name}" was cut off by its token limit and is not complete JSON. Raise sampling.max_tokens of the step.`,
    );
  }
  if (finish === 'length') return { status: 'truncated', text, ...noteOf(generation) };
  if (text.trim() === '' && job.responseSchema === null)
    return { status: 'empty', text: '', ...noteOf(generation) };
  try {
    return { status: 'ok', text: format.read(text), ...noteOf(generation) };
  } catch (error) {
    if (SkillyardError.is(error)) return failure(error.code, error.message);
    throw error;
  }
}

function noteOf(generation: Generation): { note?: string } {
  return generation.warnings.length === 0 ? {} : { note: generation.warnings.join('; ') };
}
