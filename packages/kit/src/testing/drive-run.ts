import { KitError } from '../kit-error.ts';
import type { DoneResult, RedirectResult } from '../workflow/result.ts';
import type { Run } from '../workflow/run-contract.ts';
import type { ModelAdapter } from './mock-model.ts';

export interface Driven {
  /** Every step in the order in which it was recorded, prompt-less ones too. */
  readonly path: readonly string[];
  /** The last answer that each step was given, as the model gave it. */
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly end: DoneResult | RedirectResult;
}

/**
 * Lets a model answer a run from its start to its end.
 * @param retries rejected answers to one prompt after which the model is asked again
 * @throws KitError PROTOCOL for an answer that is rejected once more; and what the run and the model throw
 */
export async function driveRun(run: Run, model: ModelAdapter, retries: number): Promise<Driven> {
  const outputs = new Map<string, unknown>();
  let result = await run.start();
  let prompt = '';
  let rejected = 0;
  while (result.kind === 'prompt' || result.kind === 'error') {
    const { step } = result;
    if (result.kind === 'prompt') {
      ({ prompt } = result);
      rejected = 0;
    } else if (rejected >= retries) {
      throw new KitError('PROTOCOL', `Validation error at step "${step}": ${result.message}`);
    } else {
      rejected += 1;
    }
    const answer = await model.respond(step, prompt);
    outputs.set(step, answer);
    result = await run.advance(step, answer);
  }
  await run.flush();
  return {
    path: run.history.map(({ step }) => step),
    outputs: Object.fromEntries(outputs),
    end: result,
  };
}
