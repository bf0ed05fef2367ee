import { SkillyardError } from '@skillyard/contracts';

interface FailureOptions {
  readonly cause?: unknown;
  /** How long the source asks us to stay away. */
  readonly retryAfterMs?: number | undefined;
}

/** A source that answered, and would answer the same again: not found, refused, too large, not text. */
export function unavailable(message: string, { cause }: FailureOptions = {}): SkillyardError {
  return new SkillyardError('ASSET_UNAVAILABLE', message, { cause });
}

/** A source that may be there in a moment: no connection, no answer in time, overload. The only kind worth a retry. */
export function unavailableNow(
  message: string,
  { cause, retryAfterMs }: FailureOptions = {},
): SkillyardError {
  return new SkillyardError('ASSET_UNAVAILABLE', message, {
    details: { transient: true, ...(retryAfterMs !== undefined && { retryAfterMs }) },
    cause,
  });
}

/** Whether another try may go better. */
export function isTransient(error: SkillyardError): boolean {
  return error.details['transient'] === true;
}

/** Says at the beginning of a failure whose it is. For work that several wait for, each under its own name. */
export async function naming<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!SkillyardError.is(error, 'ASSET_UNAVAILABLE')) throw error;
    const { code, details, message } = error;
    throw new SkillyardError(code, `${what}: ${message}`, { details, cause: error });
  }
}
