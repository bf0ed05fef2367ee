/**
 * What went wrong, by a code that stays: messages are for people.
 *
 * - `SKILL_DEFINITION_INVALID`: the builder refuses what it was given.
 * - `PARAMS_INVALID`: the params do not fit their schema.
 * - `CYCLE_GUARD`: a step was visited more often than its limit, or no limit can hold.
 * - `TARGET_UNKNOWN`: a step leads to where nothing is.
 * - `NO_BRANCH`: no branch of a step holds.
 * - `ACTION_INPUT_INVALID`, `ACTION_OUTPUT_INVALID`, `ACTION_FAILED`, `ACTION_TIMEOUT`
 * - `FINAL_OUTPUT_INVALID`: the last response does not fit `finalOutput`.
 * - `REFERENCE_MISSING`: a file that a prompt wants is not there.
 * - `PROTOCOL`: a command or a request that makes no sense: a flag is missing, JSON that is none.
 * - `SESSION_UNKNOWN`, `SESSION_BUSY`, `SESSION_UNSAFE`
 * - `BUILD_FAILED`
 */
export type KitErrorCode =
  | 'SKILL_DEFINITION_INVALID'
  | 'PARAMS_INVALID'
  | 'CYCLE_GUARD'
  | 'TARGET_UNKNOWN'
  | 'NO_BRANCH'
  | 'ACTION_INPUT_INVALID'
  | 'ACTION_OUTPUT_INVALID'
  | 'ACTION_FAILED'
  | 'ACTION_TIMEOUT'
  | 'FINAL_OUTPUT_INVALID'
  | 'REFERENCE_MISSING'
  | 'PROTOCOL'
  | 'SESSION_UNKNOWN'
  | 'SESSION_BUSY'
  | 'SESSION_UNSAFE'
  | 'BUILD_FAILED';

/** Its `name` stays `Error`, as that of Node's own errors with a code. */
export class KitError extends Error {
  readonly code: KitErrorCode;

  constructor(code: KitErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  static is(error: unknown, code?: KitErrorCode): error is KitError {
    return error instanceof KitError && (code === undefined || error.code === code);
  }
}

/** A step is visited more often than it may be, or its guard leads nowhere. */
export class CycleGuardError extends KitError {
  override readonly name = 'CycleGuardError';

  constructor(message: string) {
    super('CYCLE_GUARD', message);
  }
}
