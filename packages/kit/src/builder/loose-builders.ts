/** The builders without their types: what the typed ones in this folder are at run time. */
import type {
  ModuleDefinition,
  ReferenceDefinition,
  SkillDefinition,
  StepConfig,
  SubskillUse,
  TopicConfig,
} from '../definition/skill-definition.ts';
import { ModuleAssembly, type ModuleSettings } from './assemble-module.ts';
import { ReferenceAssembly, type ReferenceSettings } from './assemble-reference.ts';
import { SkillAssembly, type SkillSettings } from './assemble-skill.ts';
import type { StepDefinition } from './step-definition.ts';

export class SkillBuilder {
  readonly #assembly: SkillAssembly;

  constructor(settings: SkillSettings) {
    this.#assembly = new SkillAssembly(settings);
  }

  step(name: string, step: StepConfig | StepDefinition): this {
    this.#assembly.step(name, step);
    return this;
  }

  extend(name: string, base: StepDefinition, overrides: Partial<StepConfig>): this {
    this.#assembly.extend(name, base, overrides);
    return this;
  }

  register(module: ModuleDefinition, target: { readonly next: string }): this {
    this.#assembly.register(module, target);
    return this;
  }

  subskill(
    name: string,
    definition: SkillDefinition,
    options: { readonly params?: SubskillUse['params'] } = {},
  ): this {
    this.#assembly.subskill(name, definition, options.params);
    return this;
  }

  topic(name: string, topic: TopicConfig): this {
    this.#assembly.topic(name, topic);
    return this;
  }

  build(): SkillDefinition {
    return this.#assembly.build();
  }
}

export class ModuleBuilder {
  readonly #assembly: ModuleAssembly;

  constructor(settings: ModuleSettings) {
    this.#assembly = new ModuleAssembly(settings);
  }

  step(name: string, step: StepConfig | StepDefinition): this {
    this.#assembly.step(name, step);
    return this;
  }

  build(): ModuleDefinition {
    return this.#assembly.build();
  }
}

export class ReferenceBuilder {
  readonly #assembly: ReferenceAssembly;

  constructor(settings: ReferenceSettings) {
    this.#assembly = new ReferenceAssembly(settings);
  }

  topic(name: string, topic: TopicConfig): this {
    this.#assembly.topic(name, topic);
    return this;
  }

  build(): ReferenceDefinition {
    return this.#assembly.build();
  }
}
