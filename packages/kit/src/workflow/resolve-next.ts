import type { NextValue, TransitionContext } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { callAuthor } from './call-author.ts';

/**
 * Where a step leads after its answer: the name of a target, or null for the end.
 * @throws KitError NO_BRANCH if no branch holds, TARGET_UNKNOWN if a function gives no target; and what the author's functions
 * throw
 */
export function resolveNext(step: string, next: NextValue, context: TransitionContext): string | null {
  const target = choose(step, next, context);
  if (typeof target === 'string') {
    return target === 'self' ? step : target;
  }
  if (typeof target === 'object' && target !== null && 'terminal' in target) {
    return null;
  }
  throw new KitError(
    'TARGET_UNKNOWN',
    `The next of step ${step} gave ${String(target)}; it has to return the name of a step, or terminal`,
  );
}

function choose(step: string, next: NextValue, context: TransitionContext): unknown {
  if (typeof next === 'function') {
    return callAuthor(`The next of step ${step}`, () => next(context));
  }
  if (typeof next === 'string' || 'terminal' in next) {
    return next;
  }
  const branch = next.find(
    ({ when, to }) =>
      when === undefined || callAuthor(`The when of step ${step} for "${to}"`, () => when(context)),
  );
  if (branch === undefined) {
    throw new KitError(
      'NO_BRANCH',
      `No branch of step "${step}" holds for its answer; let the last one have no when, so that it always does`,
    );
  }
  return branch.to;
}
