import type {
  AnySchema,
  FrontMatter,
  HostedSettings,
  ModuleDefinition,
  ObserverMap,
  SkillDefinition,
  StepConfig,
  SubskillUse,
  TopicConfig,
} from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { checkActionInput } from './check-action-input.ts';
import { frontMatterOf } from './front-matter-of.ts';
import { type StepDefinition, stepConfigOf } from './step-definition.ts';

export interface SkillSettings extends FrontMatter {
  readonly name: string;
  readonly entry: string;
  readonly version?: string | undefined;
  /** The version of the nearest package.json counts; `version` does not. */
  readonly resolveVersion?: boolean | undefined;
  readonly description?: string | undefined;
  /** Words that call for the skill; added to its description. */
  readonly triggers?: readonly string[] | undefined;
  readonly system?: string | undefined;
  readonly params?: AnySchema | undefined;
  readonly stores?: Readonly<Record<string, AnySchema>> | undefined;
  readonly observers?: ObserverMap | undefined;
  readonly finalOutput?: AnySchema | undefined;
  readonly skillMd?: SkillDefinition['skillMd'];
  readonly package?: Readonly<Record<string, unknown>> | undefined;
  readonly hosted?: HostedSettings | undefined;
}

/** How the store calls what is not a sub-store. */
const RESERVED = ['steps', 'step'];

/** Gathers a skill, call by call. The types of what is gathered are the business of the builder around it. */
export class SkillAssembly {
  readonly #settings: SkillSettings;
  readonly #steps = new Map<string, StepConfig>();
  readonly #subskills = new Map<string, SubskillUse>();
  readonly #topics = new Map<string, TopicConfig>();

  constructor(settings: SkillSettings) {
    this.#settings = settings;
  }

  /** @throws KitError SKILL_DEFINITION_INVALID if its action wants what its response does not have */
  step(name: string, step: StepConfig | StepDefinition): void {
    const config = stepConfigOf(step);
    if (config === step) checkActionInput(name, config);
    this.#steps.set(name, config);
  }

  extend(name: string, base: StepDefinition, overrides: Partial<StepConfig>): void {
    this.#steps.set(name, stepConfigOf({ ...base.config, ...overrides }));
  }

  /** Takes over the steps of a module; those that leave it lead to `next`. */
  register({ steps }: ModuleDefinition, { next }: { readonly next: string }): void {
    for (const [name, config] of Object.entries(steps)) {
      this.#steps.set(name, config.next === '__parent__' ? { ...config, next } : config);
    }
  }

  /** @throws KitError SKILL_DEFINITION_INVALID for a skill that has sub-skills itself */
  subskill(name: string, definition: SkillDefinition, params?: SubskillUse['params']): void {
    if (definition.subskills !== undefined) {
      throw new KitError(
        'SKILL_DEFINITION_INVALID',
        `subskill "${name}" has sub-skills of its own, and they go one level deep only; register those here as well`,
      );
    }
    this.#subskills.set(name, { definition, ...(params && { params }) });
  }

  topic(name: string, topic: TopicConfig): void {
    this.#topics.set(name, topic);
  }

  /** @throws KitError SKILL_DEFINITION_INVALID for what no run of the skill could do without */
  build(): SkillDefinition {
    const settings = this.#settings;
    this.#check();
    const { stores, hosted } = settings;
    return Object.freeze({
      kind: 'skill',
      name: settings.name,
      version: settings.version ?? '0.0.0',
      description: descriptionOf(settings),
      entry: settings.entry,
      system: settings.system,
      params: settings.params,
      steps: Object.freeze(Object.fromEntries(this.#steps)),
      ...(stores && Object.keys(stores).length > 0 && { stores }),
      observers: settings.observers,
      finalOutput: settings.finalOutput,
      skillMd: settings.skillMd,
      resolveVersion: settings.resolveVersion ?? false,
      package: settings.package,
      ...frontMatterOf(settings),
      ...(this.#subskills.size > 0 && { subskills: Object.freeze(Object.fromEntries(this.#subskills)) }),
      ...(this.#topics.size > 0 && { topics: Object.freeze(Object.fromEntries(this.#topics)) }),
      ...(hosted && { hosted }),
    });
  }

  #check(): void {
    const { name, entry, stores } = this.#settings;
    if (!name) refuse('name is required');
    if (!entry) refuse('entry is required');
    if (this.#steps.size === 0) refuse('it has no steps');
    if (!this.#steps.has(entry)) refuse(`its entry "${entry}" is none of its steps`);
    const reserved = Object.keys(stores ?? {}).find((store) => RESERVED.includes(store));
    if (reserved !== undefined) refuse(`a store cannot be called "${reserved}"; choose another name`);
  }
}

function descriptionOf({ description, triggers = [] }: SkillSettings): string | undefined {
  if (triggers.length === 0) return description;
  const words = `Trigger keywords: ${triggers.join(', ')}`;
  if (description === undefined || description === '') return words;
  return `${description}${description.endsWith('.') ? ' ' : '. '}${words}`;
}

function refuse(what: string): never {
  throw new KitError('SKILL_DEFINITION_INVALID', `skill: ${what}`);
}
