import type { StepConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';

/** A step that is defined outside a skill, to be used in several. */
export interface StepDefinition {
  readonly kind: 'step';
  readonly config: StepConfig;
  /** The step with some of its settings replaced. */
  extend(overrides: Partial<StepConfig>): StepDefinition;
}

/** @throws KitError SKILL_DEFINITION_INVALID without `next` */
export function defineStep(config: StepConfig): StepDefinition {
  requireNext(config);
  return Object.freeze({
    kind: 'step',
    config: Object.freeze({ ...config }),
    extend: (overrides: Partial<StepConfig>) => defineStep({ ...config, ...overrides }),
  });
}

/** The settings of a step, given as such or as a step that was defined before. */
export function stepConfigOf(step: StepConfig | StepDefinition): StepConfig {
  const config = isStepDefinition(step) ? step.config : step;
  requireNext(config);
  return config;
}

function isStepDefinition(step: StepConfig | StepDefinition): step is StepDefinition {
  return 'kind' in step && step.kind === 'step';
}

function requireNext({ next }: Partial<StepConfig>): void {
  if (next !== undefined) return;
  throw new KitError(
    'SKILL_DEFINITION_INVALID',
    'step: next is required; name the step that follows, or write `next: terminal`',
  );
}
