import type { StepOutcome } from '@skillyard/contracts';
import type { StepCode } from './program.ts';
import type { Failure } from './records.ts';
import { LIMIT_CODE } from './limits.ts';

/** Whether a loop or fork goes on over the failure of one of its parts. Nobody tolerates an exit or a turn's limit. */
export function isTolerated(step: Pick<StepCode, 'onError'>, failure: Failure): boolean {
  return step.onError !== 'abort' && isTolerable(failure);
}

export function isTolerable(failure: Failure): boolean {
  return isTrouble(failure) && failure.code !== LIMIT_CODE;
}

/** Whether something went wrong, or the skill itself chose to end here. */
export function isTrouble({ kind }: Failure): boolean {
  return kind === 'error' || kind === 'denied';
}

/** The outcome of the row of what failed. */
export function outcomeOf(failure: Failure): StepOutcome {
  return failure.kind === 'error' || failure.kind === 'denied' ? failure.kind : 'exit';
}

/** Names the step a failure went through. The reason of whoever chose to end stays as the skill worded it. */
export function within(where: string, failure: Failure): Failure {
  if (!isTrouble(failure)) return failure;
  return { ...failure, message: `${where}: ${failure.message}` };
}
