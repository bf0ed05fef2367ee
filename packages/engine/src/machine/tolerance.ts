import type { StepCode } from './program.ts';
import type { Failure } from './records.ts';
import { LIMIT_CODE } from './limits.ts';

/** Whether a loop or fork goes on over the failure of one of its parts. Nobody tolerates an exit or a turn's limit. */
export function isTolerated(step: Pick<StepCode, 'onError'>, failure: Failure): boolean {
  return step.onError !== 'abort' && isTolerable(failure);
}

export function isTolerable(failure: Failure): boolean {
  return failure.kind !== 'exit' && failure.code !== LIMIT_CODE;
}

/** Names the step a failure went through. The reason of an exit stays as the skill worded it. */
export function within(where: string, failure: Failure): Failure {
  if (failure.kind === 'exit') return failure;
  return { ...failure, message: `${where}: ${failure.message}` };
}
