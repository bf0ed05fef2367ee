import type { PromptReturn } from '../definition/prompt-piece.ts';
import type {
  Handshake,
  PromptContext,
  SkillDefinition,
  StepConfig,
  StepRecord,
  StoreAccessor,
} from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { act } from '../primitives/act.ts';
import { preamble } from '../primitives/preamble.ts';
import { renderPieces } from '../prompt/render-pieces.ts';
import { system } from '../prompt/system.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';
import { validate } from '../schema/validate.ts';
import { callAuthor } from './call-author.ts';
import { checkGraph } from './check-graph.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Effects } from './effects.ts';
import { checkFinalOutput } from './final-output.ts';
import { historyEntries } from './history-entries.ts';
import { NO_REFERENCES } from './no-references.ts';
import { ObserverHub } from './observer-hub.ts';
import { openParams } from './open-params.ts';
import { performAction, prepareAction } from './perform-action.ts';
import type { ErrorResult, PromptResult, WorkflowResult } from './result.ts';
import { type Place, Router } from './router.ts';
import type { Accepted, Run, RunOptions } from './run-contract.ts';
import { RunState, type StateMark } from './run-state.ts';
import { saveAnswer } from './save-answer.ts';
import { storeAccessor } from './store-accessor.ts';
import { type Departure, targetText } from './target.ts';

export interface RunMark {
  readonly state: StateMark;
  readonly place: Place | null;
  readonly stepStartedAt: number;
}

const END = '__terminal__';

/** The run of one skill by itself: a redirect ends it. */
export class PlainRun implements Run {
  readonly definition: SkillDefinition;
  readonly store: StoreAccessor;
  readonly #options: RunOptions;
  readonly #effects: Effects;
  readonly #params: unknown;
  readonly #handshake: Handshake;
  readonly #observers: ObserverHub;
  readonly #router: Router;
  readonly #state = new RunState();
  readonly #startedAt: number;
  #stepStartedAt: number;
  #place: Place | null = null;

  /** @throws KitError PARAMS_INVALID, and as `checkGraph` */
  constructor(definition: SkillDefinition, options: RunOptions, effects: Effects) {
    this.definition = definition;
    this.#options = options;
    this.#effects = effects;
    this.#params = openParams(definition, options.params);
    checkGraph(definition);
    this.#router = new Router(definition, this.#state);
    this.#handshake = deepFreeze({
      host: 'generic',
      toolsAvailable: [],
      isSubagent: false,
      ...options.handshake,
    });
    const observers = options.observers === false ? {} : (definition.observers ?? {});
    this.#observers = new ObserverHub(observers, (line) => {
      this.#warn(line);
    });
    this.store = storeAccessor(this.#state);
    this.#startedAt = this.#now();
    this.#stepStartedAt = this.#startedAt;
  }

  get current(): string | null {
    return this.#place?.kind === 'step' ? this.#place.step : null;
  }

  get history(): readonly StepRecord[] {
    return this.#state.history;
  }

  /** What the last record leads to, if that is a sub-skill or a topic. */
  get leftFor(): Departure | null {
    const place = this.#place;
    return place?.kind === 'subskill' || place?.kind === 'topic' ? place : null;
  }

  has(step: string): boolean {
    return Object.hasOwn(this.definition.steps, step);
  }

  async start(signal?: AbortSignal): Promise<WorkflowResult> {
    return this.#transact(() => this.#goOn({ kind: 'step', step: this.definition.entry }, undefined, signal));
  }

  async advance(step: string, raw: unknown, signal?: AbortSignal): Promise<WorkflowResult> {
    const accepted = this.accept(step, raw);
    if ('kind' in accepted) {
      return accepted;
    }
    const result = await this.perform(accepted, signal ?? new AbortController().signal);
    return this.complete(accepted, result, signal);
  }

  accept(step: string, raw: unknown): Accepted | ErrorResult {
    if (!this.has(step)) {
      return refusal(step, `Unknown step "${step}"`, false);
    }
    const config = this.#config(step);
    let response: unknown = {};
    if (config.response !== undefined) {
      const checked = validate(config.response, raw);
      if (!checked.ok) {
        const attempt = this.#state.visits(step) + 1;
        this.#tell('onStepValidationFailed', { step, raw, error: checked.message, attempt });
        return refusal(step, checked.message, true);
      }
      response = checked.value;
    }
    deepFreeze(response);
    return { step, response, action: prepareAction(step, config, this.#context(response)) };
  }

  async perform(accepted: Accepted, signal: AbortSignal): Promise<unknown> {
    return performAction(accepted, this.#config(accepted.step), this.#context(accepted.response), signal);
  }

  async complete(accepted: Accepted, actionResult: unknown, signal?: AbortSignal): Promise<WorkflowResult> {
    return this.#transact(async () => {
      const completed = this.#record(accepted.step, accepted.response, actionResult);
      return this.#goOn(this.#leave(completed), completed, signal);
    });
  }

  replay(entries: unknown): void {
    for (const { step, response, actionResult } of historyEntries(entries, (line) => {
      this.#warn(line);
    })) {
      if (this.has(step)) {
        const { response: schema } = this.#config(step);
        const checked = schema === undefined ? undefined : validate(schema, response);
        // What once was a good answer stays one, even if the schema of a newer version thinks otherwise.
        const known = checked?.ok === true ? checked.value : response;
        this.#record(step, deepFreeze(known), actionResult);
      }
    }
    const { last } = this.#state;
    if (last !== undefined) {
      this.#place = this.#placeAfterReplay(last);
    }
  }

  /** Takes it that the run was started, if it has no history that says where it is. */
  awaitEntry(): void {
    this.#place ??= this.history.length === 0 ? { kind: 'step', step: this.definition.entry } : null;
  }

  promptOf(step: string): PromptReturn | undefined {
    const { prompt } = this.#config(step);
    return typeof prompt === 'function'
      ? callAuthor(`The prompt of step ${step}`, () => prompt(this.#promptContext(step)))
      : prompt;
  }

  async flush(): Promise<void> {
    await this.#observers.flush();
  }

  mark(): RunMark {
    return { state: this.#state.mark(), place: this.#place, stepStartedAt: this.#stepStartedAt };
  }

  restore(mark: RunMark): void {
    this.#state.restore(mark.state);
    this.#place = mark.place;
    this.#stepStartedAt = mark.stepStartedAt;
  }

  async #transact(work: () => Promise<WorkflowResult>): Promise<WorkflowResult> {
    const mark = this.mark();
    const result = await this.#effects.transact(() => {
      this.restore(mark);
    }, work);
    if (result.kind === 'done' || result.kind === 'redirect') {
      await this.flush();
    }
    return result;
  }

  /**
   * Goes to a place, past the prompt-less steps on the way.
   * @param completed the record of the answer that leads there; undefined at the start
   */
  async #goOn(
    start: Place,
    completed: StepRecord | undefined,
    signal: AbortSignal | undefined,
  ): Promise<WorkflowResult> {
    const passed: StepRecord[] = [];
    const lead =
      completed === undefined ? { preamble: preamble(this.#handshake, this.definition.system) } : {};
    let place = start;
    let previous = completed;
    for (;;) {
      this.#place = place;
      const news = {
        ...(completed !== undefined && { completed }),
        ...(passed.length > 0 && { autoAdvanced: passed }),
      };
      if (place.kind === 'end') {
        return { kind: 'done', done: true, finalOutput: this.#end(), ...news };
      }
      if (place.kind !== 'step') {
        const { completed: answered, ...gates } = news;
        return {
          kind: 'redirect',
          redirect: targetText(place),
          ...(answered !== undefined && { completed: answered }),
          store: this.store,
          ...gates,
        };
      }
      const { step } = place;
      this.#enter(step);
      if (!this.#isPassed(step)) {
        return { ...this.#promptResult(step, lead), ...news };
      }
      this.#tellPassed({
        ...this.#promptResult(step, {}),
        ...(previous !== undefined && { completed: previous }),
      });
      previous = await this.#pass(step, signal);
      passed.push(previous);
      place = this.#leave(previous);
    }
  }

  #isPassed(step: string): boolean {
    const { prompt, action } = this.#config(step);
    return prompt === undefined && !(this.#options.stopAtActions === true && action !== undefined);
  }

  /** Takes a prompt-less step. */
  async #pass(step: string, signal: AbortSignal | undefined): Promise<StepRecord> {
    const accepted = this.accept(step, {});
    if ('kind' in accepted) {
      throw new KitError(
        'SKILL_DEFINITION_INVALID',
        `Step ${step} has no prompt, so nobody answers it, and its response does not take an empty answer: ${accepted.message}`,
      );
    }
    const actionResult = await this.perform(accepted, signal ?? new AbortController().signal);
    return this.#record(step, accepted.response, actionResult);
  }

  #promptResult(step: string, lead: { readonly preamble?: string }): PromptResult {
    const { response } = this.#config(step);
    const pieces = this.promptOf(step);
    return {
      kind: 'prompt',
      step,
      ...lead,
      prompt: callAuthor(`The prompt of step ${step}`, () => renderPieces(pieces, this.definition.name)),
      schema:
        response === undefined
          ? null
          : callAuthor(`Writing the response of step ${step} as JSON Schema`, () => jsonSchemaOf(response)),
    };
  }

  #enter(step: string): void {
    this.#stepStartedAt = this.#now();
    this.#tell('onStepStart', { step, params: this.#params });
  }

  #record(step: string, response: unknown, actionResult: unknown): StepRecord {
    deepFreeze(actionResult);
    const { result, writes } = saveAnswer(
      this.definition,
      step,
      this.#context(response),
      actionResult,
      (line) => {
        this.#warn(line);
      },
    );
    const record = deepFreeze({
      step,
      response,
      ...(actionResult !== undefined && { actionResult }),
      result,
    });
    this.#state.write(writes);
    this.#state.record(record);
    return record;
  }

  /** Tells of a finished step and finds out where it leads. */
  #leave(record: StepRecord): Place {
    const { step, response } = record;
    this.#tell('onStepComplete', { step, response, durationMs: this.#now() - this.#stepStartedAt });
    const place = this.#placeAfter(record);
    if (place.kind === 'end') {
      this.#tell('onTransition', { from: step, to: END, reason: 'terminal' });
    } else if (place.kind === 'step') {
      this.#tell('onTransition', { from: step, to: place.step, reason: 'next' });
    } else {
      this.#tell('onTransition', { from: step, to: targetText(place), reason: 'redirect' });
    }
    return place;
  }

  #placeAfter(record: StepRecord): Place {
    return this.#router.placeAfter(this.#config(record.step).next, record, {
      params: this.#params,
      store: this.store,
    });
  }

  /** A history that was made up or cut may lead nowhere. It is told, and any step may be answered as before the start. */
  #placeAfterReplay(last: StepRecord): Place | null {
    try {
      return this.#placeAfter(last);
    } catch (error) {
      this.#warn(
        `the history leads nowhere after step ${last.step}: ${error instanceof Error ? error.message : String(error)}`,
      );
      return null;
    }
  }

  #end(): unknown {
    const answered = this.history.findLast(({ step }) => this.#config(step).prompt !== undefined);
    const finalOutput = answered?.response ?? null;
    checkFinalOutput(this.definition, finalOutput);
    const path = this.history.map(({ step }) => step);
    this.#tell('onSkillComplete', { path, finalOutput, durationMs: this.#now() - this.#startedAt });
    return finalOutput;
  }

  #config(step: string): StepConfig {
    const config = this.has(step) ? this.definition.steps[step] : undefined;
    if (config === undefined) {
      throw new KitError('PROTOCOL', `Unknown step "${step}" of skill "${this.definition.name}"`);
    }
    return config;
  }

  #context(response: unknown): { response: unknown; store: StoreAccessor; params: unknown } {
    return { response, store: this.store, params: this.#params };
  }

  #promptContext(step: string): PromptContext {
    return {
      store: this.store,
      params: this.#params,
      refs: this.#options.references ?? NO_REFERENCES,
      attempts: this.#state.visits(step),
      host: this.#handshake,
      act,
      system,
    };
  }

  #tell(...event: Parameters<ObserverHub['tell']>): void {
    this.#effects.tell(() => {
      this.#observers.tell(...event);
    });
  }

  #tellPassed(result: PromptResult): void {
    this.#effects.tell(() => this.#options.onPassed?.(result));
  }

  #warn(line: string): void {
    this.#options.warn?.(line);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function refusal(step: string, message: string, retry: boolean): ErrorResult {
  return { kind: 'error', error: 'validation', step, message, retry };
}
