import type { AnySchema, ModuleDefinition, StepConfig } from '../definition/skill-definition.ts';
import type { AfterStep, AnyState, FreshState } from './builder-state.ts';
import type { Forward } from './path-state.ts';
import type { StepDefinition } from './step-definition.ts';
import type {
  EmptyObject,
  NextTarget,
  NoResponse,
  OutputOf,
  Saving,
  StepOptions,
  StepResult,
} from './step-options.ts';
import { requireFields } from './require-fields.ts';
import { StepTable } from './step-table.ts';
import type { AnyEntry } from './entry.ts';

/** The params are those of whatever skill uses the module: it knows nothing about them. */
export type AnyParamsState = FreshState<unknown, EmptyObject>;

/** What is said of a module before its first step. */
export interface ModuleConfig {
  readonly name: string;
  /** The step of it that comes first. */
  readonly entry: string;
}

/** A module whose steps give `Steps`. */
export interface ModuleOf<Steps extends AnyEntry> extends ModuleDefinition {
  /** Types only; never there. */
  readonly '~steps'?: Steps;
}

/** A module that is being written, step by step. */
export class ModuleBuilder<State extends AnyState> {
  /** Types only; never there. */
  declare readonly '~state'?: State;
  readonly #config: ModuleConfig;
  readonly #steps = new StepTable();

  constructor(config: ModuleConfig) {
    this.#config = config;
  }

  /**
   * Adds a step; one of the same name is replaced.
   * @throws KitError SKILL_DEFINITION_INVALID without `next`, or when an action needs what the response lacks
   */
  step<
    At extends AnyState,
    Name extends string,
    Target extends NextTarget,
    Schema extends AnySchema = NoResponse,
    Result = undefined,
    Saved extends Saving<At['stores']> = undefined,
  >(
    this: ModuleBuilder<At>,
    name: Name,
    step: StepOptions<At, Schema, Result, Saved, Target> | StepDefinition<Schema, Result, Saved, Target>,
  ): ModuleBuilder<
    AfterStep<
      At,
      Name,
      Forward<Target, At['declared'] | Name>,
      StepResult<OutputOf<Schema>, Result, Saved>,
      Saved
    >
  > {
    this.#steps.add(name, step as unknown as StepConfig);
    return this;
  }

  /**
   * The finished module, frozen.
   * @throws KitError SKILL_DEFINITION_INVALID without steps, or when the entry is none
   */
  build(): ModuleOf<State['always'] | State['maybe']> {
    const { name, entry } = this.#config;
    requireFields('module', this.#config, ['name', 'entry']);
    return Object.freeze({ kind: 'module', name, entry, steps: this.#steps.finish('module', entry) });
  }
}
