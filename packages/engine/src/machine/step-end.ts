import type { ErrorCode, StepOutcome, StepResult } from '@skillyard/contracts';
import type { Failure, Frame } from './records.ts';

/** A step failed. Its policy decides what that means. */
export interface Failed {
  readonly failure: Failure;
  /** The outcome of its row, where it is not that of the failure. */
  readonly outcome?: StepOutcome;
  readonly calls: number;
  readonly callsFailed: number;
}

/** A step goes on below itself: its own row is written, or will be when the frame ends. */
interface Entered {
  readonly frame: Frame;
}

/** What became of a step for now. `wait` means that the scope waits for jobs or children. */
export type StepEnd = 'done' | 'wait' | Entered | Failed;

export function failed(
  code: ErrorCode | (string & {}),
  message: string,
  counts: { calls?: number; callsFailed?: number; outcome?: StepOutcome } = {},
): Failed {
  return {
    failure: { kind: 'error', code, message },
    calls: counts.calls ?? 0,
    callsFailed: counts.callsFailed ?? 0,
    ...(counts.outcome !== undefined && { outcome: counts.outcome }),
  };
}

/** Whether a result is a failure of its job. */
export function isFailure(result: StepResult): boolean {
  return result.status === 'error' || result.status === 'denied' || result.status === 'lost';
}

/** The failure that a job's result carries. */
export function failureOf(result: StepResult): Failure {
  const denied = result.status === 'denied';
  const lost = result.status === 'lost';
  const code = result.error?.code ?? (denied ? 'STEP_DENIED' : lost ? 'STEP_LOST' : 'STEP_FAILED');
  const fallback = denied
    ? 'permission refused'
    : lost
      ? 'lost: its worker died while it ran, and it may not be run again'
      : 'failed without a reason';
  const message = result.error?.message ?? '';
  return { kind: denied ? 'denied' : 'error', code, message: message === '' ? fallback : message };
}
