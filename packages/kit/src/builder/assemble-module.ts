import type { ModuleDefinition, StepConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { type StepDefinition, stepConfigOf } from './step-definition.ts';

export interface ModuleSettings {
  readonly name: string;
  readonly entry: string;
}

/** Gathers the steps of a module. */
export class ModuleAssembly {
  readonly #settings: ModuleSettings;
  readonly #steps = new Map<string, StepConfig>();

  constructor(settings: ModuleSettings) {
    this.#settings = settings;
  }

  step(name: string, step: StepConfig | StepDefinition): void {
    this.#steps.set(name, stepConfigOf(step));
  }

  /** @throws KitError SKILL_DEFINITION_INVALID */
  build(): ModuleDefinition {
    const { name, entry } = this.#settings;
    if (!name) refuse('name is required');
    if (!entry) refuse('entry is required');
    if (this.#steps.size === 0) refuse('it has no steps');
    if (!this.#steps.has(entry)) refuse(`its entry "${entry}" is none of its steps`);
    return Object.freeze({
      kind: 'module',
      name,
      entry,
      steps: Object.freeze(Object.fromEntries(this.#steps)),
    });
  }
}

function refuse(what: string): never {
  throw new KitError('SKILL_DEFINITION_INVALID', `module: ${what}`);
}
