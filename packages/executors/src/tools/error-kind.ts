import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';

/** Whether a server over HTTP no longer knows our session, as after a restart. The request was not looked at. */
export function isSessionLost(error: unknown): boolean {
  if (!(error instanceof SdkHttpError)) return false;
  return error.status === 404 || (error.status === 400 && /session/i.test(error.message));
}

/** An error and what caused it, outermost first: negotiating wraps what went wrong. */
function* causes(error: unknown): Generator<object> {
  for (
    let current = error, depth = 0;
    typeof current === 'object' && current !== null && depth < 6;
    depth++
  ) {
    yield current;
    current = (current as { cause?: unknown }).cause;
  }
}

/** The HTTP status a server answered with, if it is what went wrong. */
export function httpStatus(error: unknown): number | undefined {
  for (const cause of causes(error)) if (cause instanceof SdkHttpError) return cause.status;
  return undefined;
}

/** Whether an error says that the time was over. */
export function isTimeout(error: unknown): boolean {
  for (const cause of causes(error)) {
    if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout) return true;
    if (cause instanceof Error && cause.name === 'TimeoutError') return true;
  }
  return false;
}

const GARBLED_CODES: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.ClientHttpUnexpectedContent,
  SdkErrorCode.UnsupportedResultType,
]);

/** Whether an error says that what came was not the protocol. */
export function isGarbled(error: unknown): boolean {
  for (const cause of causes(error)) {
    if (cause instanceof SdkError && GARBLED_CODES.has(cause.code)) return true;
    if (cause instanceof SyntaxError || (cause instanceof Error && /ZodError/.test(cause.name))) return true;
  }
  return false;
}

/** Looks for a system code in an error and in what caused it. */
export function isCode(error: unknown, code: string): boolean {
  for (const cause of causes(error)) {
    if ((cause as { code?: unknown }).code === code) return true;
    // Node tries each address of a host and collects what went wrong.
    const { errors } = cause as { errors?: unknown };
    if (Array.isArray(errors) && errors.some((inner) => isCode(inner, code))) return true;
  }
  return false;
}

/** The innermost message: `fetch failed` says nothing, its cause does. */
export function reasonOf(error: unknown): string {
  let reason = '';
  for (const cause of causes(error))
    if (cause instanceof Error && cause.message !== '') reason = cause.message;
  return firstLine(reason === '' ? String(error) : reason);
}

/** The first line of a text, cut short and without the stop at its end. */
export const firstLine = (text: string): string =>
  (text.split('\n')[0] ?? '').slice(0, 300).replace(/[.:\s]+$/, '');
