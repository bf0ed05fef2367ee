import { type ErrorCode, ERRORS, formatPlace, type Problem, SkillyardError } from '@skillyard/contracts';

/** Characters of a reply that is no problem, in a message. */
const SHOWN_CHARS = 200;

/**
 * The error that a reply tells of, with the code that the API gave it.
 * What is not of the API, such as the page of a proxy, is API_UNAVAILABLE and quoted.
 */
export function problemError(response: Response, text: string): SkillyardError {
  const problem = readProblem(text);
  if (problem === null) {
    const said = text.trim().slice(0, SHOWN_CHARS) || response.statusText || 'nothing';
    const message = `the API answered with status ${response.status} and no problem document: ${said}`;
    return new SkillyardError('API_UNAVAILABLE', message, { details: { status: response.status } });
  }
  return errorOfProblem(problem);
}

/** The error that a problem document tells of. */
export function errorOfProblem({
  code,
  detail,
  status,
  instance,
  diagnostics = [],
}: Problem): SkillyardError {
  const details = {
    status,
    requestId: instance,
    ...(diagnostics.length > 0 && {
      diagnostics: diagnostics.map((one) => `${formatPlace(one)}: ${one.code}: ${one.message}`),
    }),
  };
  if (Object.hasOwn(ERRORS, code)) return new SkillyardError(code as ErrorCode, detail, { details });
  return new SkillyardError('API_UNAVAILABLE', `${code}: ${detail}`, { details });
}

function readProblem(text: string): Problem | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Said above, with what came instead.
    return null;
  }
  const isProblem = typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;
  return isProblem ? (value as Problem) : null;
}
