import { type ErrorCode, ERRORS, SkillyardError, type TurnOutcome } from '@skillyard/contracts';

/** Exit codes that are not those of an error code. docs/cli.md lists all. */
export const EXIT = {
  completed: 0,
  failed: 1,
  badInput: 2,
  exited: 3,
  unavailable: 4,
  denied: 5,
  refused: 6,
  blocked: 7,
  requirement_failed: 8,
  cancelled: 130,
} as const;

/** The exit code that tells how a turn ended. A failure has that of its error code. */
export function exitCodeOfTurn(outcome: Pick<TurnOutcome, 'status' | 'error'>): number {
  switch (outcome.status) {
    case 'failed':
      return isErrorCode(outcome.error?.code) ? ERRORS[outcome.error.code].exit : EXIT.failed;
    default:
      return EXIT[outcome.status];
  }
}

/** The exit code of a command that threw. */
export function exitCodeOfError(error: unknown): number {
  // Work that is no turn, such as asking tool servers, ends by Ctrl-C as a turn does.
  if (SkillyardError.is(error, 'TURN_CANCELLED')) return EXIT.cancelled;
  return SkillyardError.is(error) ? ERRORS[error.code].exit : EXIT.failed;
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(ERRORS, code);
}
