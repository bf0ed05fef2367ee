import type { ModuleDefinition, StepConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { checkActionInput } from './check-action-input.ts';
import { emptyTable, frozenTable } from './frozen-table.ts';
import { checkedStep, isStepDefinition } from './step-definition.ts';

/** Leads from a reused step to where the skill that uses it goes on. */
const PARENT = '__parent__';

/** The steps of a skill or of a module that is being written. */
export class StepTable {
  readonly #steps = emptyTable<StepConfig>();

  /** Adds a step, or replaces the one of that name. */
  add(name: string, given: StepConfig | { readonly kind: 'step'; readonly config: StepConfig }): void {
    if (isStepDefinition(given)) {
      this.#steps[name] = given.config;
      return;
    }
    const config = checkedStep(given, name);
    checkActionInput(name, config);
    this.#steps[name] = config;
  }

  /** Adds a reused step of which some parts are replaced. */
  addExtended(name: string, base: StepConfig, overrides: Partial<StepConfig>): void {
    this.#steps[name] = checkedStep({ ...base, ...overrides }, name);
  }

  /** Adds the steps of a module; wherever they leave it, they go on at `next`. */
  addModule(module: ModuleDefinition, next: string): void {
    for (const [name, config] of Object.entries(module.steps)) {
      this.#steps[name] = Object.freeze(leadingTo(next, config));
    }
  }

  /**
   * The steps, frozen.
   * @param kind begins the messages
   * @throws KitError SKILL_DEFINITION_INVALID when there is none, or none that is called `entry`
   */
  finish(kind: string, entry: string): Readonly<Record<string, StepConfig>> {
    const names = Object.keys(this.#steps);
    if (names.length === 0) {
      throw new KitError('SKILL_DEFINITION_INVALID', `${kind}: it has no steps; add one with .step()`);
    }
    if (!Object.hasOwn(this.#steps, entry)) {
      throw new KitError(
        'SKILL_DEFINITION_INVALID',
        `${kind}: the entry "${entry}" is no step of it; its steps are ${names.join(', ')}`,
      );
    }
    return frozenTable(this.#steps);
  }
}

function leadingTo(next: string, config: StepConfig): StepConfig {
  return {
    ...config,
    next: nextLeadingTo(next, config.next),
    ...(config.onMaxVisits === PARENT && { onMaxVisits: next }),
  };
}

function nextLeadingTo(next: string, given: StepConfig['next']): StepConfig['next'] {
  if (given === PARENT) return next;
  if (typeof given === 'function') {
    return (context) => {
      const target = given(context);
      return target === PARENT ? next : target;
    };
  }
  if (!Array.isArray(given)) return given;
  return (given as Extract<StepConfig['next'], readonly unknown[]>).map((branch) =>
    branch.to === PARENT ? { ...branch, to: next } : branch,
  );
}
