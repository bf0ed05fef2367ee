import { KitError } from '../kit-error.ts';

/**
 * Calls a function of the author. What it throws is told with where it stands: its own message seldom says.
 * @param what begins the message, such as `The prompt of step ask`
 * @throws KitError with the code of what was thrown, if that is one; otherwise an Error. Its cause is what was thrown
 */
export function callAuthor<Result>(what: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    const message = `${what} failed: ${error instanceof Error ? error.message : String(error)}`;
    throw KitError.is(error)
      ? new KitError(error.code, message, { cause: error })
      : new Error(message, { cause: error });
  }
}
