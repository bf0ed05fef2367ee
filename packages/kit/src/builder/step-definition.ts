import type { AnySchema, StepConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { checkSchema } from './check-schema.ts';
import type { AnyState } from './builder-state.ts';
import type { NextTarget, NoResponse, Saving, StepOptions, StepOverrides } from './step-options.ts';

/** A step that is not part of a skill yet. */
export interface StepDefinition<Schema extends AnySchema, Result, Saved, Target extends NextTarget> {
  readonly kind: 'step';
  readonly config: StepConfig;
  /** Types only; never there. */
  readonly '~step'?: StepTypes<Schema, Result, Saved, Target>;
  /** A copy in which the given parts are replaced. */
  extend<
    NewSchema extends AnySchema = Schema,
    NewResult = Result,
    NewSaved extends Saving<unknown> = Saved extends Saving<unknown> ? Saved : undefined,
    NewTarget extends NextTarget = Target,
  >(
    overrides: StepOverrides<AnyState, NewSchema, NewResult, NewSaved, NewTarget>,
  ): StepDefinition<NewSchema, NewResult, NewSaved, NewTarget>;
}

interface StepTypes<Schema, Result, Saved, Target> {
  readonly schema: Schema;
  readonly result: Result;
  readonly saved: Saved;
  readonly target: Target;
}

/** An answer is asked for by a prompt; a step without one takes none. */
type AskedFor = { readonly prompt: unknown } | { readonly prompt?: undefined; readonly response?: undefined };

/**
 * A step for several skills. Params and store have no types in it; `.extend()` of a skill gives them some.
 * @throws KitError SKILL_DEFINITION_INVALID without `next`
 */
export function step<
  Target extends NextTarget,
  Schema extends AnySchema = NoResponse,
  Result = undefined,
  Saved extends Saving<unknown> = undefined,
>(
  config: StepOptions<AnyState, Schema, Result, Saved, Target> & AskedFor,
): StepDefinition<Schema, Result, Saved, Target> {
  return makeStep(config as unknown as StepConfig) as unknown as StepDefinition<
    Schema,
    Result,
    Saved,
    Target
  >;
}

interface PlainStepDefinition {
  readonly kind: 'step';
  readonly config: StepConfig;
  extend(overrides: Partial<StepConfig>): PlainStepDefinition;
}

function makeStep(config: StepConfig): PlainStepDefinition {
  const checked = checkedStep(config);
  return Object.freeze({
    kind: 'step' as const,
    config: checked,
    extend: (overrides: Partial<StepConfig>) => makeStep({ ...checked, ...overrides }),
  });
}

/**
 * The config of a step as definitions hold it.
 * @param name absent where it has none yet
 * @throws KitError SKILL_DEFINITION_INVALID without `next`, and for a response that is no schema
 */
export function checkedStep(config: StepConfig, name?: string): StepConfig {
  const what = name === undefined ? 'step' : `step "${name}"`;
  if ((config as Partial<StepConfig>).next === undefined) {
    throw new KitError(
      'SKILL_DEFINITION_INVALID',
      `${what}: next is required; name a step, or use \`terminal\` where the skill ends`,
    );
  }
  checkSchema(`${what}: response`, config.response);
  return Object.freeze({ ...config });
}

/** Whether an author gave a finished step where its parts may be written as well. */
export function isStepDefinition(
  value: object,
): value is { readonly kind: 'step'; readonly config: StepConfig } {
  return 'kind' in value && value.kind === 'step' && 'config' in value;
}
