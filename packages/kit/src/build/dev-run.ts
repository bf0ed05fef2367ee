import type { SkillDefinition, StepConfig, StepRecord } from '../definition/skill-definition.ts';
import { renderPieces } from '../prompt/render-pieces.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';
import type { WorkflowResult } from '../workflow/result.ts';
import { openRun, type Run, type RunOptions } from '../workflow/run.ts';

/** What a developer sees next. */
export type DevView = WorkflowResult | { readonly kind: 'over' };

/** A run that a developer answers by hand, and that takes up its answers again when the source has changed. */
export class DevRun {
  readonly #options: RunOptions;
  readonly #signal: AbortSignal | undefined;
  #definition: SkillDefinition;
  #run: Run;

  /** @param signal ends an action that runs */
  constructor(definition: SkillDefinition, options: RunOptions, signal?: AbortSignal) {
    this.#definition = definition;
    this.#options = options;
    this.#signal = signal;
    this.#run = openRun(definition, options);
  }

  get history(): readonly StepRecord[] {
    return this.#run.history;
  }

  /** Begins at the entry, whatever was answered. */
  async restart(): Promise<DevView> {
    this.#run = openRun(this.#definition, this.#options);
    return this.#run.start(this.#signal);
  }

  async answer(output: unknown): Promise<DevView> {
    const step = this.#run.current;
    return step === null ? { kind: 'over' } : this.#run.advance(step, output, this.#signal);
  }

  /**
   * Goes on with another definition: what was answered is replayed, so no action runs twice.
   * @throws as `openRun`; the run is then as it was
   */
  async reload(definition: SkillDefinition): Promise<DevView> {
    const run = openRun(definition, this.#options);
    run.replay(this.#run.history);
    const shown = run.history.length === 0 ? await run.start(this.#signal) : promptNow(definition, run);
    this.#definition = definition;
    this.#run = run;
    // A step that has lost its prompt cannot be answered: better from the start than nowhere.
    return shown ?? this.restart();
  }
}

function promptNow(definition: SkillDefinition, run: Run): DevView | undefined {
  const step = run.current;
  if (step === null) return { kind: 'over' };
  const pieces = run.promptOf(step);
  if (pieces === undefined) return undefined;
  const { owner, config } = placeOf(definition, step);
  return {
    kind: 'prompt',
    step,
    prompt: renderPieces(pieces, owner),
    schema: config?.response === undefined ? null : jsonSchemaOf(config.response),
  };
}

/** The skill that a step belongs to, and the step. */
function placeOf(
  definition: SkillDefinition,
  step: string,
): { readonly owner: string; readonly config: StepConfig | undefined } {
  const slash = step.indexOf('/');
  const inner = slash === -1 ? undefined : definition.subskills?.[step.slice(0, slash)]?.definition;
  if (inner === undefined) return { owner: definition.name, config: definition.steps[step] };
  return { owner: inner.name, config: inner.steps[step.slice(slash + 1)] };
}
