import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ActionEffect } from '../definition/skill-definition.ts';
import { checkSchema } from './check-schema.ts';
import { requireFields } from './require-fields.ts';
import type { TypedAction } from './step-options.ts';

export interface ActionConfig<Input, Output> {
  readonly name: string;
  readonly input: StandardSchemaV1<unknown, Input>;
  readonly output: StandardSchemaV1<unknown, Output>;
  /** What a repeat may do; `once` when absent: it is never repeated after a crash. */
  readonly effect?: ActionEffect | undefined;
  /** Milliseconds after which its signal is aborted; absent: none. */
  readonly timeoutMs?: number | undefined;
  readonly run: (context: {
    readonly input: Input;
    readonly signal: AbortSignal;
  }) => NoInfer<Output> | PromiseLike<NoInfer<Output>>;
}

/**
 * A side effect that the skill orders and code does, with a contract for what goes in and what comes out.
 * @throws KitError SKILL_DEFINITION_INVALID when a field is missing or a schema is none
 */
export function action<Input, Output>(config: ActionConfig<Input, Output>): TypedAction<Input, Output> {
  requireFields('action', config, ['name', 'input', 'output', 'run']);
  const { name, input, output, effect = 'once', timeoutMs, run } = config;
  checkSchema(`action "${name}": input`, input);
  checkSchema(`action "${name}": output`, output);
  return Object.freeze({
    kind: 'action',
    name,
    input,
    output,
    effect,
    ...(timeoutMs !== undefined && { timeoutMs }),
    run,
  });
}
