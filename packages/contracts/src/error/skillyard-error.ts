import { ERRORS, type ErrorCode, type ErrorKind } from './catalogue.ts';

const BRAND = Symbol.for('skillyard.error');

/** What an error is about, for machines. Never holds a secret. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * The one error class. The code says what happened, the message says it to a person: what is wrong, where, and what
 * to do. Check with {@link SkillyardError.is}, never by message text.
 */
export class SkillyardError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SkillyardError';
    this.code = code;
    this.details = options.details ?? {};
  }

  get kind(): ErrorKind {
    return ERRORS[this.code].kind;
  }

  /** Recognises our errors across copies of this package. */
  static is(error: unknown, code?: ErrorCode): error is SkillyardError {
    if (typeof error !== 'object' || error === null || !(BRAND in error)) return false;
    return code === undefined || (error as SkillyardError).code === code;
  }
}
