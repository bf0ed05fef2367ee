import type { ActionContext, StepConfig } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { validate } from '../schema/validate.ts';
import { callAuthor } from './call-author.ts';
import type { Accepted, AcceptedAction } from './run-contract.ts';

type Context = Omit<ActionContext, 'signal'>;

/**
 * Works out the input of a step's action; null when the step has none.
 * @throws KitError ACTION_INPUT_INVALID; and what the author's `mapInput` throws
 */
export function prepareAction(step: string, config: StepConfig, context: Context): AcceptedAction | null {
  const { action } = config;
  if (action === undefined) {
    return null;
  }
  if (typeof action === 'function') {
    return { name: step, input: context.response, effect: 'once' };
  }
  const { name, input: schema, effect, timeoutMs } = action.run;
  const { mapInput } = action;
  const input =
    mapInput === undefined
      ? context.response
      : callAuthor(`The mapInput of step ${step}`, () => mapInput(context));
  const checked = validate(schema, input);
  if (!checked.ok) {
    throw new KitError(
      'ACTION_INPUT_INVALID',
      `The input of action ${name} of step ${step} does not fit: ${checked.message}`,
    );
  }
  return { name, input: checked.value, effect, ...(timeoutMs !== undefined && { timeoutMs }) };
}

/**
 * Runs the action of an accepted answer.
 * @returns what it gives, as its output schema gives it back; undefined without an action
 * @throws KitError ACTION_FAILED, ACTION_TIMEOUT, ACTION_OUTPUT_INVALID
 */
export async function performAction(
  accepted: Accepted,
  config: StepConfig,
  context: Context,
  signal: AbortSignal,
): Promise<unknown> {
  const { step, action } = accepted;
  const declared = config.action;
  if (action === null || declared === undefined) {
    return undefined;
  }
  if (typeof declared === 'function') {
    return bounded(step, action, signal, (bound) => declared({ ...context, signal: bound }));
  }
  const result = await bounded(step, action, signal, (bound) =>
    declared.run.run({ input: action.input, signal: bound }),
  );
  const checked = validate(declared.run.output, result);
  if (!checked.ok) {
    throw new KitError(
      'ACTION_OUTPUT_INVALID',
      `The output of action ${action.name} of step ${step} does not fit: ${checked.message}`,
    );
  }
  return checked.value;
}

/** An action that does not heed its signal must not hold up the run: it is left to itself. */
async function bounded(
  step: string,
  { name, timeoutMs }: AcceptedAction,
  signal: AbortSignal,
  run: (signal: AbortSignal) => unknown,
): Promise<unknown> {
  const stop = new AbortController();
  let stopWith = (_error: KitError): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stopWith = (error) => {
      reject(error);
      stop.abort(error);
    };
  });
  const onAbort = (): void => {
    stopWith(
      new KitError('ACTION_FAILED', `Action ${name} of step ${step} was cancelled`, { cause: signal.reason }),
    );
  };
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          stopWith(
            new KitError('ACTION_TIMEOUT', `Action ${name} of step ${step} took longer than ${timeoutMs} ms`),
          );
        }, timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) {
      onAbort();
      return await stopped;
    }
    return await Promise.race([Promise.resolve(run(stop.signal)), stopped]);
  } catch (error) {
    throw failureOf(step, name, error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function failureOf(step: string, name: string, error: unknown): KitError {
  if (KitError.is(error, 'ACTION_TIMEOUT') || KitError.is(error, 'ACTION_FAILED')) {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  return new KitError('ACTION_FAILED', `Action ${name} of step ${step} failed: ${message}`, { cause: error });
}
