import type {
  Answers,
  CodeEvent,
  CodeRound,
  Decision,
  Directive,
  Json,
  JsonObject,
  Observation,
  Question,
} from '@skillyard/contracts';
import type { SkillDefinition, StepRecord } from '../definition/skill-definition.ts';
import { KitError, type KitErrorCode } from '../kit-error.ts';
import { toPieces } from '../prompt/render-pieces.ts';
import type { PromptResult, WorkflowResult } from '../workflow/result.ts';
import type { AcceptedAction, Run } from '../workflow/run.ts';
import { refusedText, systemText, withAnswers, withRequest } from './hosted-texts.ts';
import { asJson, type HostedOptions, openTurn } from './open-turn.ts';
import { type HostedInput, paramsOfVars } from './params-of-vars.ts';
import { parseReply } from './parse-reply.ts';
import { questionsOf } from './questions-of.ts';
import { responseOfAnswers } from './response-of-answers.ts';
import { type KeptRecord, type Pending, pendingFor, remember, type TurnMemo } from './turn-memo.ts';

/** What was decided, and what has to be remembered of it. */
export interface Decided {
  readonly decision: Decision;
  readonly memo: Json;
}

/** What has happened in a turn, and what happens now. */
export interface TurnSoFar {
  readonly rounds: readonly CodeRound[];
  readonly event: CodeEvent;
}

/** Answers to a step that are refused before its turn fails, when the skill does not say. */
const DEFAULT_RETRIES = 3;
/** What the code of a skill finds wrong with an answer although it has the right form: another one may be better. */
const REFUSALS: ReadonlySet<KitErrorCode> = new Set(['ACTION_INPUT_INVALID', 'FINAL_OUTPUT_INVALID']);

/**
 * Decides what a turn does next.
 *
 * J1 It is worked out from the rounds and the event alone; the same gives the same, as far as the author's functions do.
 * J2 What was decided stays so: recorded steps are taken up as they are, and prompts are made once.
 * J3 An action is never run here: it is asked for, and its result comes with the next event.
 * @throws KitError for what the skill itself does wrong, and whatever its functions throw
 */
export async function decide(
  definition: SkillDefinition,
  turn: TurnSoFar,
  options: HostedOptions = {},
): Promise<Decided> {
  return new Deciding(definition, turn, options).decide();
}

type PendingReply = Extract<Pending, { for: 'reply' }>;

/** One decision. */
class Deciding {
  readonly #definition: SkillDefinition;
  readonly #rounds: readonly CodeRound[];
  readonly #event: CodeEvent;
  readonly #options: HostedOptions;
  readonly #observed: Observation[] = [];
  #run: Run | undefined;
  /** Records that were there before. */
  #known = 0;
  #passed: readonly string[] = [];

  constructor(definition: SkillDefinition, { rounds, event }: TurnSoFar, options: HostedOptions) {
    this.#definition = definition;
    this.#rounds = rounds;
    this.#event = event;
    this.#options = options;
  }

  async decide(): Promise<Decided> {
    const event = this.#event;
    switch (event.type) {
      case 'start':
        return this.#start();
      case 'reply':
        return this.#takeReply(event);
      case 'acted':
        return this.#takeResult(event.value);
      case 'answered':
        return this.#takeAnswers(event.answers);
    }
  }

  async #start(): Promise<Decided> {
    try {
      return await this.#goOn(await this.#open({ params: this.#input().params, records: [] }).start());
    } catch (error) {
      if (this.#run !== undefined || !KitError.is(error, 'PARAMS_INVALID')) throw error;
      return this.#fail('INPUT_INVALID', error.message);
    }
  }

  async #takeReply({ text, error }: Extract<CodeEvent, { type: 'reply' }>): Promise<Decided> {
    const { pending, run } = this.#takeUp('reply');
    // An answer that was cut off or that the endpoint could not fit to the schema is not in the conversation.
    if (error !== null) return this.#refuse(pending, error.message, 'forgotten');
    const parsed = parseReply(text, pending.schema);
    const taken = 'problem' in parsed ? parsed.problem : await this.#answer(run, pending.step, parsed.raw);
    return typeof taken === 'string' ? this.#refuse(pending, taken, 'remembered') : taken;
  }

  async #takeResult(value: Json): Promise<Decided> {
    const { pending, run } = this.#takeUp('action');
    const accepted = run.accept(pending.step, pending.raw);
    if ('kind' in accepted) throw new KitError('PROTOCOL', `step "${pending.step}": ${accepted.message}`);
    return this.#goOn(await run.complete(accepted, value));
  }

  async #takeAnswers(given: Answers | null): Promise<Decided> {
    const { pending, run } = this.#takeUp('answers');
    const { step, instruction, schema, questions, alone } = pending;
    const answers = given ?? defaultAnswers(questions);
    if (answers === null) {
      const what = questions.map(({ text }) => `"${text}"`).join(', ');
      return this.#fail('QUESTION_EXPIRED', `step "${step}": nobody answered ${what} in time.`);
    }
    const response = alone ? responseOfAnswers(schema, questions, answers) : undefined;
    const taken = response === undefined ? '' : await this.#answer(run, step, response);
    // What is wrong with it was not a person's doing: a model may say the same in the form that is wanted.
    return typeof taken === 'string'
      ? this.#generate(step, withAnswers(instruction, questions, answers), schema)
      : taken;
  }

  /** Opens the run where the last decision left it. */
  #takeUp<For extends Pending['for']>(
    wanted: For,
  ): { readonly pending: Extract<Pending, { for: For }>; readonly run: Run } {
    const remembered = remember(this.#rounds);
    const pending = pendingFor(remembered, wanted);
    return { pending, run: this.#open(remembered) };
  }

  #open(remembered: Parameters<typeof openTurn>[1]): Run {
    const run = openTurn(this.#definition, remembered, this.#options, this.#observed);
    this.#run = run;
    this.#known = run.history.length;
    return run;
  }

  /** @returns what is wrong with the answer, when another one may be better */
  async #answer(run: Run, step: string, raw: Json): Promise<Decided | string> {
    try {
      const accepted = run.accept(step, raw);
      if ('kind' in accepted) return accepted.message;
      if (accepted.action !== null) return await this.#act(step, raw, accepted.action);
      return await this.#goOn(await run.complete(accepted, undefined));
    } catch (error) {
      if (KitError.is(error) && REFUSALS.has(error.code)) return error.message;
      throw error;
    }
  }

  async #goOn(result: WorkflowResult): Promise<Decided> {
    switch (result.kind) {
      case 'prompt':
        this.#passed = (result.autoAdvanced ?? []).map(({ step }) => step);
        return this.#prompt(result);
      case 'done':
        this.#passed = (result.autoAdvanced ?? []).map(({ step }) => step);
        return this.#conclude({ do: 'end', output: asJson(result.finalOutput), error: null }, null);
      case 'error':
        throw new KitError('PROTOCOL', `step "${result.step}": ${result.message}`);
      case 'redirect':
        throw new KitError('TARGET_UNKNOWN', `"${result.redirect}" is no step, sub-skill or topic`);
    }
  }

  async #prompt({ step, prompt: instruction, schema: wanted }: PromptResult): Promise<Decided> {
    const prompt = this.#run?.promptOf(step);
    if (prompt === undefined) return this.#passAction(step);
    const schema = wanted === null ? null : (asJson(wanted) as JsonObject);
    const { questions, alone } = questionsOf(toPieces(prompt));
    if (questions.length === 0) return this.#generate(step, instruction, schema);
    const timeoutMs = this.#definition.hosted?.askTimeoutMs;
    return this.#conclude(
      { do: 'ask', step, questions: [...questions], ...(timeoutMs !== undefined && { timeoutMs }) },
      { for: 'answers', step, instruction, schema, questions, alone },
    );
  }

  /** A step without a prompt whose action is to be run. */
  async #passAction(step: string): Promise<Decided> {
    const accepted = this.#run?.accept(step, {});
    if (accepted === undefined || 'kind' in accepted || accepted.action === null) {
      throw new KitError('PROTOCOL', `step "${step}" has no prompt and no action, and was not passed`);
    }
    return this.#act(step, {}, accepted.action);
  }

  #act(
    step: string,
    raw: Json,
    { name: action, effect, timeoutMs, ...rest }: AcceptedAction,
  ): Promise<Decided> {
    const input = asJson(rest.input);
    return this.#conclude(
      { do: 'act', step, action, effect, input, ...(timeoutMs !== undefined && { timeoutMs }) },
      { for: 'action', step, raw, input },
    );
  }

  #generate(step: string, prompt: string, schema: JsonObject | null): Promise<Decided> {
    // The first model of a turn is told what the turn is about; it stays in the conversation.
    const instruction = remember(this.#rounds).hasTalked
      ? prompt
      : withRequest(prompt, this.#input().request);
    return this.#askModel({ for: 'reply', step, instruction, schema, refusals: 0 }, instruction);
  }

  #refuse(pending: PendingReply, message: string, answer: 'remembered' | 'forgotten'): Promise<Decided> {
    const refusals = pending.refusals + 1;
    const most = this.#definition.hosted?.maxRetries ?? DEFAULT_RETRIES;
    if (refusals > most) {
      const times = refusals === 1 ? 'was refused' : `was refused ${refusals} times, the last time`;
      const reason = `step "${pending.step}": the answer ${times} because ${message}`;
      return this.#fail('MODEL_ANSWER_INVALID', reason);
    }
    const again = refusedText(message);
    const instruction = answer === 'remembered' ? again : `${pending.instruction}\n\n${again}`;
    return this.#askModel({ ...pending, refusals }, instruction);
  }

  #askModel(pending: PendingReply, instruction: string): Promise<Decided> {
    const { step, schema } = pending;
    const { tools = [], model = '' } = this.#definition.hosted ?? {};
    const system = systemText(this.#definition, step);
    return this.#conclude(
      { do: 'generate', step, instruction, system, schema, tools: [...tools], model },
      pending,
    );
  }

  #fail(code: string, message: string): Promise<Decided> {
    return this.#conclude({ do: 'end', output: null, error: { code, message } }, null);
  }

  /** What the variables of the turn come to. They came with the first event. */
  #input(): HostedInput {
    const first = this.#rounds[0]?.event ?? this.#event;
    return paramsOfVars(this.#definition, first.type === 'start' ? first.vars : {});
  }

  async #conclude(directive: Directive, pending: Pending | null): Promise<Decided> {
    // Observers are told before it is known to be kept: told twice is better than never.
    await this.#run?.flush();
    const records = (this.#run?.history ?? []).slice(this.#known).map(keptRecord);
    const { params } = this.#input();
    const isFirst = this.#rounds.length === 0 && params !== undefined;
    const memo: TurnMemo = { ...(isFirst && { params }), records, pending };
    const decision = { directive, observed: this.#observed, passed: [...this.#passed] };
    return { decision, memo: asJson(memo) };
  }
}

function keptRecord({ step, response, actionResult }: StepRecord): KeptRecord {
  const kept = { step, response: asJson(response) };
  return actionResult === undefined ? kept : { ...kept, actionResult: asJson(actionResult) };
}

/** What silence means: a confirmation has its default, anything else needs an answer. */
function defaultAnswers(questions: readonly Question[]): Answers | null {
  if (questions.some(({ kind }) => kind !== 'confirm')) return null;
  return questions.map((question) => question.default ?? false);
}
