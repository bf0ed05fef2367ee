import type {
  AnySchema,
  SkillDefinition,
  StepConfig,
  SubskillUse,
  TopicConfig,
} from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import type { AfterExtended, AfterModule, AfterStep, AnyState } from './builder-state.ts';
import { checkName } from './check-name.ts';
import { checkSchema } from './check-schema.ts';
import { described } from './described.ts';
import { emptyTable, frozenTable } from './frozen-table.ts';
import { frontMatterOf } from './front-matter.ts';
import type { ModuleOf } from './module-builder.ts';
import type { Forward } from './path-state.ts';
import type { SkillConfig } from './skill-config.ts';
import type { StepDefinition } from './step-definition.ts';
import type {
  NextTarget,
  NoResponse,
  OutputOf,
  Saving,
  StepOptions,
  StepOverrides,
  StepResult,
} from './step-options.ts';
import { requireFields } from './require-fields.ts';
import { StepTable } from './step-table.ts';
import type { AnyEntry } from './entry.ts';
import type { LooseView } from './store-view.ts';

/** Names of the store that no sub-store can have. */
const RESERVED_STORES = ['steps', 'step'];

/** How a sub-skill gets its params. */
export interface SubskillOptions<At extends AnyState> {
  /** From the response of the step that leads to it, and the store. */
  readonly params?: ((response: unknown, store: LooseView<At>) => unknown) | undefined;
}

/** A skill that is being written, step by step. Every method changes it and gives it back with what it knows now. */
export class SkillBuilder<State extends AnyState> {
  /** Types only; never there. */
  declare readonly '~state'?: State;
  readonly #config: SkillConfig;
  readonly #steps = new StepTable();
  readonly #subskills = emptyTable<SubskillUse>();
  readonly #topics = emptyTable<TopicConfig>();

  constructor(config: SkillConfig) {
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
    this: SkillBuilder<At>,
    name: Name,
    step: StepOptions<At, Schema, Result, Saved, Target> | StepDefinition<Schema, Result, Saved, Target>,
  ): SkillBuilder<
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
   * Adds a reused step, with types for what is replaced of it.
   * @throws KitError SKILL_DEFINITION_INVALID without `next`
   */
  extend<
    At extends AnyState,
    Name extends string,
    BaseSchema extends AnySchema,
    BaseResult,
    BaseSaved,
    BaseTarget extends NextTarget,
    Schema extends AnySchema = BaseSchema,
    Result = BaseResult,
    Saved extends Saving<At['stores']> = BaseSaved extends Saving<At['stores']> ? BaseSaved : undefined,
    Target extends NextTarget = BaseTarget,
  >(
    this: SkillBuilder<At>,
    name: Name,
    base: StepDefinition<BaseSchema, BaseResult, BaseSaved, BaseTarget>,
    overrides?: StepOverrides<At, Schema, Result, Saved, Target>,
  ): SkillBuilder<
    AfterExtended<
      At,
      Name,
      Forward<Target, At['declared'] | Name>,
      StepResult<OutputOf<Schema>, Result, Saved>,
      Saved
    >
  > {
    this.#steps.addExtended(name, base.config, (overrides ?? {}) as Partial<StepConfig>);
    return this;
  }

  /** Adds the steps of a module; where it ends, the skill goes on at `next`. */
  register<At extends AnyState, Steps extends AnyEntry>(
    this: SkillBuilder<At>,
    module: ModuleOf<Steps>,
    options: { readonly next: NextTarget },
  ): SkillBuilder<AfterModule<At, Steps>> {
    this.#steps.addModule(module, options.next);
    return this;
  }

  /**
   * Adds a skill that a step can lead to as `subskill:<name>`.
   * @throws KitError SKILL_DEFINITION_INVALID when it has sub-skills itself
   */
  subskill<At extends AnyState>(
    this: SkillBuilder<At>,
    name: string,
    definition: SkillDefinition,
    options: SubskillOptions<At> = {},
  ): SkillBuilder<At> {
    if (definition.subskills !== undefined) {
      throw new KitError(
        'SKILL_DEFINITION_INVALID',
        `subskill "${name}": it has sub-skills itself, and they go one level deep; make its sub-skills those of this skill`,
      );
    }
    this.#subskills[name] = Object.freeze({
      definition,
      ...(options.params !== undefined && { params: options.params as SubskillUse['params'] }),
    });
    return this;
  }

  /** Adds a text that is told on demand, and that a step can lead to as `topic:<name>`. */
  topic<At extends AnyState>(this: SkillBuilder<At>, name: string, topic: TopicConfig): SkillBuilder<At> {
    this.#topics[name] = Object.freeze({ ...topic });
    return this;
  }

  /**
   * The finished skill, frozen. Where its steps lead is checked when it starts, by `kit check` and by every build.
   * @throws KitError SKILL_DEFINITION_INVALID for a bad name, no steps, an entry that is no step, a schema that is none, or a reserved
   * store name
   */
  build(): SkillDefinition {
    const config = this.#config;
    requireFields('skill', config, ['name', 'entry']);
    checkName('skill', config.name);
    checkSchema('skill: params', config.params);
    checkSchema('skill: finalOutput', config.finalOutput);
    const steps = this.#steps.finish('skill', config.entry);
    for (const [name, schema] of Object.entries(config.stores ?? {}))
      checkSchema(`skill: store "${name}"`, schema);
    for (const name of RESERVED_STORES) {
      if (config.stores !== undefined && Object.hasOwn(config.stores, name)) {
        throw new KitError(
          'SKILL_DEFINITION_INVALID',
          `skill: a store cannot be called "${name}", which is what the results of steps are under; call it something else`,
        );
      }
    }
    return Object.freeze({
      kind: 'skill',
      name: config.name,
      version: config.version ?? '0.0.0',
      description: described(config.description, config.triggers),
      entry: config.entry,
      system: config.system,
      params: config.params,
      steps,
      ...(config.stores !== undefined &&
        !isEmpty(config.stores) && { stores: Object.freeze({ ...config.stores }) }),
      observers: config.observers,
      finalOutput: config.finalOutput,
      skillMd: config.skillMd,
      resolveVersion: config.resolveVersion ?? false,
      package: config.package,
      ...frontMatterOf(config),
      ...(!isEmpty(this.#subskills) && { subskills: frozenTable(this.#subskills) }),
      ...(!isEmpty(this.#topics) && { topics: frozenTable(this.#topics) }),
      ...(config.hosted !== undefined && { hosted: config.hosted }),
    });
  }
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}
