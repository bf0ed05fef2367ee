import type { PromptReturn } from '../definition/prompt-piece.ts';
import type { SkillDefinition, StepRecord } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { Effects } from './effects.ts';
import { PlainRun } from './plain-run.ts';
import { qualifyRecord, qualifyResult, qualifyStep, splitStep } from './qualified-step.ts';
import type { DoneResult, ErrorResult, RedirectResult, WorkflowResult } from './result.ts';
import type { Accepted, Run, RunOptions } from './run-contract.ts';
import type { Departure } from './target.ts';
import { topicContent } from './topic-content.ts';

interface Subskill {
  readonly name: string;
  readonly run: PlainRun;
}

/** One of the runs of a composite, and a step by the name that it has there. */
interface Place {
  readonly run: PlainRun;
  readonly step: string;
  /** null: `run` is the dispatcher. */
  readonly subskill: Subskill | null;
}

/**
 * A dispatcher with its sub-skills and topics. Once it has left for a sub-skill the run goes on there; a topic ends the run.
 */
export class CompositeRun implements Run {
  readonly definition: SkillDefinition;
  readonly #options: RunOptions;
  readonly #effects = new Effects();
  /** null: a sub-skill was opened directly. */
  readonly #dispatcher: PlainRun | null;
  #subskill: Subskill | null = null;
  /** The history that was taken up; a sub-skill that is opened later looks for its part of it. */
  #replayed: readonly unknown[] = [];

  /**
   * @param direct the sub-skill to run by itself; null for the dispatcher
   * @throws KitError as `openRun` and `openSubskill`
   */
  constructor(definition: SkillDefinition, options: RunOptions, direct: string | null) {
    this.definition = definition;
    this.#options = options;
    if (direct === null) {
      this.#dispatcher = new PlainRun(definition, options, this.#effects);
    } else {
      this.#dispatcher = null;
      this.#subskill = this.#open(direct, options.params);
    }
  }

  get current(): string | null {
    if (this.#subskill === null) {
      return this.#dispatcher?.current ?? null;
    }
    const { name, run } = this.#subskill;
    return run.current === null ? null : qualifyStep(name, run.current);
  }

  get history(): readonly StepRecord[] {
    const dispatched = this.#dispatcher?.history ?? [];
    if (this.#subskill === null) {
      return dispatched;
    }
    const { name, run } = this.#subskill;
    return [...dispatched, ...run.history.map((record) => qualifyRecord(name, record))];
  }

  /** null while the dispatcher is at work, or if it ended by itself. */
  get leftFor(): Departure | null {
    if (this.#subskill !== null) {
      return { kind: 'subskill', name: this.#subskill.name };
    }
    return this.#dispatcher?.leftFor ?? null;
  }

  async start(signal?: AbortSignal): Promise<WorkflowResult> {
    return this.#transact(async () => {
      if (this.#dispatcher === null) {
        const subskill = this.#direct();
        return stay(subskill, await subskill.run.start(signal), this.#options);
      }
      return this.#follow(this.#dispatcher, await this.#dispatcher.start(signal), signal);
    });
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
    const { run, step: local, subskill } = this.#placeOf(step);
    const accepted = run.accept(local, raw);
    if (subskill === null) {
      return accepted;
    }
    return 'kind' in accepted
      ? qualifyResult(subskill.name, accepted)
      : { ...accepted, step: qualifyStep(subskill.name, accepted.step) };
  }

  async perform(accepted: Accepted, signal: AbortSignal): Promise<unknown> {
    const { run, step } = this.#placeOf(accepted.step);
    return run.perform({ ...accepted, step }, signal);
  }

  async complete(accepted: Accepted, actionResult: unknown, signal?: AbortSignal): Promise<WorkflowResult> {
    const { run, step, subskill } = this.#placeOf(accepted.step);
    return this.#transact(async () => {
      const result = await run.complete({ ...accepted, step }, actionResult, signal);
      return subskill === null ? this.#follow(run, result, signal) : stay(subskill, result, this.#options);
    });
  }

  replay(entries: unknown): void {
    this.#replayed = Array.isArray(entries) ? entries : [];
    if (this.#dispatcher === null) {
      const { name, run } = this.#direct();
      // What is malformed is nobody's: whoever takes it up says so.
      run.replay(this.#replayedOf(name, (entry) => !isNamed(entry)));
      return;
    }
    this.#dispatcher.replay(
      this.#replayed.filter((entry) => !isNamed(entry) || this.#split(entry.step) === null),
    );
    const { leftFor } = this.#dispatcher;
    if (leftFor?.kind === 'subskill') {
      this.#takeUp(leftFor.name).run.awaitEntry();
    }
  }

  promptOf(step: string): PromptReturn | undefined {
    const place = this.#placeOf(step);
    return place.run.promptOf(place.step);
  }

  async flush(): Promise<void> {
    await Promise.all([this.#dispatcher?.flush(), this.#subskill?.run.flush()]);
  }

  async #transact(work: () => Promise<WorkflowResult>): Promise<WorkflowResult> {
    const subskill = this.#subskill;
    const runs = [this.#dispatcher, subskill?.run].filter((run) => run !== undefined && run !== null);
    const marks = runs.map((run) => ({ run, mark: run.mark() }));
    const result = await this.#effects.transact(() => {
      for (const { run, mark } of marks) {
        run.restore(mark);
      }
      this.#subskill = subskill;
    }, work);
    if (result.kind === 'done' || subskill !== this.#subskill) {
      await this.flush();
    }
    return result;
  }

  /** Goes where a redirect of the dispatcher leads; any other result of it stays as it is. */
  async #follow(
    dispatcher: PlainRun,
    result: WorkflowResult,
    signal: AbortSignal | undefined,
  ): Promise<WorkflowResult> {
    if (result.kind !== 'redirect') {
      return result;
    }
    const { leftFor } = dispatcher;
    if (leftFor?.kind !== 'subskill') {
      return topicResult(dispatcher, result, this.#options);
    }
    this.#subskill = this.#open(leftFor.name, this.#paramsFor(leftFor.name));
    const started = stay(this.#subskill, await this.#subskill.run.start(signal), this.#options);
    if (started.kind !== 'prompt' && started.kind !== 'done') {
      return started;
    }
    const { autoAdvanced = [], ...rest } = started;
    const passed = [...(result.autoAdvanced ?? []), ...autoAdvanced];
    return {
      ...rest,
      ...(result.completed !== undefined && { completed: result.completed }),
      ...(passed.length > 0 && { autoAdvanced: passed }),
    };
  }

  /** Opens a sub-skill in the middle, with what the history that was taken up says of it. */
  #takeUp(name: string): Subskill {
    const subskill = this.#open(name, this.#paramsFor(name));
    subskill.run.replay(this.#replayedOf(name, () => false));
    this.#subskill = subskill;
    return subskill;
  }

  #open(name: string, params: unknown): Subskill {
    const subskills = this.definition.subskills ?? {};
    const use = Object.hasOwn(subskills, name) ? subskills[name] : undefined;
    if (use === undefined) {
      const names = Object.keys(subskills).join(', ') || 'none';
      throw new KitError('TARGET_UNKNOWN', `There is no sub-skill "${name}"; there are: ${names}`);
    }
    const { onPassed } = this.#options;
    const options: RunOptions = {
      ...this.#options,
      params,
      ...(onPassed !== undefined && {
        onPassed: (result) => {
          onPassed(qualifyResult(name, result));
        },
      }),
    };
    return { name, run: new PlainRun(use.definition, options, this.#effects) };
  }

  /** What the dispatcher gives to a sub-skill: worked out from its history, so it is the same in every process. */
  #paramsFor(name: string): unknown {
    const dispatcher = this.#dispatcher;
    const params = this.definition.subskills?.[name]?.params;
    if (dispatcher === null || params === undefined) {
      return {};
    }
    const { leftFor, history, store } = dispatcher;
    return leftFor?.kind === 'subskill' && leftFor.name === name
      ? params(history.at(-1)?.response, store)
      : {};
  }

  #placeOf(name: string): Place {
    const split = this.#split(name);
    const subskill = this.#subskill;
    if (subskill !== null && split?.subskill === subskill.name) {
      return { run: subskill.run, step: split.step, subskill };
    }
    if (this.#dispatcher === null) {
      const direct = this.#direct();
      return { run: direct.run, step: name, subskill: direct };
    }
    if (split !== null) {
      const opened = this.#takeUp(split.subskill);
      return { run: opened.run, step: split.step, subskill: opened };
    }
    return subskill?.run.has(name) === true
      ? { run: subskill.run, step: name, subskill }
      : { run: this.#dispatcher, step: name, subskill: null };
  }

  #direct(): Subskill {
    if (this.#subskill === null) {
      throw new KitError(
        'PROTOCOL',
        `Skill "${this.definition.name}" runs neither its dispatcher nor a sub-skill`,
      );
    }
    return this.#subskill;
  }

  /** The entries of a sub-skill by the names that its steps have there, and those that `others` wants to have too. */
  #replayedOf(name: string, others: (entry: unknown) => boolean): unknown[] {
    return this.#replayed.flatMap((entry) => {
      const split = isNamed(entry) ? this.#split(entry.step) : null;
      if (isNamed(entry) && split?.subskill === name) {
        return [{ ...entry, step: split.step }];
      }
      return others(entry) ? [entry] : [];
    });
  }

  #split(step: string): ReturnType<typeof splitStep> {
    return this.definition.subskills === undefined ? null : splitStep(step);
  }
}

function isNamed(entry: unknown): entry is { readonly step: string } {
  return typeof entry === 'object' && entry !== null && 'step' in entry && typeof entry.step === 'string';
}

/** A result of a sub-skill. It has no sub-skills of its own; a redirect can only be to one of its topics. */
function stay({ name, run }: Subskill, result: WorkflowResult, options: RunOptions): WorkflowResult {
  return qualifyResult(name, result.kind === 'redirect' ? topicResult(run, result, options) : result);
}

function topicResult(
  { definition, leftFor }: PlainRun,
  { redirect, completed, autoAdvanced }: RedirectResult,
  options: RunOptions,
): DoneResult {
  if (leftFor?.kind !== 'topic') {
    throw new KitError('TARGET_UNKNOWN', `Sub-skill ${definition.name} cannot leave for "${redirect}"`);
  }
  const { name } = leftFor;
  return {
    kind: 'done',
    done: true,
    finalOutput: { topic: name, content: topicContent(definition, name, options.references) },
    ...(completed !== undefined && { completed }),
    ...(autoAdvanced !== undefined && { autoAdvanced }),
  };
}
