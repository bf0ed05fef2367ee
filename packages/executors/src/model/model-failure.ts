import { type ErrorCode, SkillyardError } from '@skillyard/contracts';
import { APICallError } from 'ai';

/** What is known of a model when something failed. */
export interface ModelFacts {
  readonly name: string;
  /** Its address, without anything secret. */
  readonly where: string;
  /** The variable that holds its key. */
  readonly keyVariable: string | undefined;
}

const LONGEST_REASON = 300;

/** Whatever the AI SDK threw, as an error of ours. */
export function modelFailure(error: unknown, facts: ModelFacts): SkillyardError {
  if (SkillyardError.is(error)) return error;
  const { name, where } = facts;
  if (!APICallError.isInstance(error)) {
    return failed(
      'MODEL_UNAVAILABLE',
      `The model "${name}" (${where}) gave an answer that cannot be used: ${firstLine(error)}.`,
      facts,
    );
  }
  const { statusCode } = error;
  if (statusCode === undefined) return unreachable(error, facts);
  if (statusCode >= 200 && statusCode < 300) return garbled(error, facts);
  const reason = errorText(error);
  if (statusCode === 401 || statusCode === 403) return refusedKey(statusCode, reason, facts);
  if (statusCode === 429) {
    const retryAfterMs = retryAfter(error.responseHeaders ?? {});
    const wait = retryAfterMs === undefined ? '' : `, and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    return failed(
      'MODEL_UNAVAILABLE',
      `The model "${name}" (${where}) is asked too often (HTTP 429${wait})${reason}.`,
      facts,
      retryAfterMs,
    );
  }
  if (statusCode >= 500 || statusCode === 408 || statusCode === 409 || statusCode === 425) {
    const retryAfterMs = retryAfter(error.responseHeaders ?? {});
    return failed(
      'MODEL_UNAVAILABLE',
      `The model "${name}" (${where}) failed with HTTP ${statusCode}${reason}.`,
      facts,
      retryAfterMs,
    );
  }
  const hint = statusCode === 404 ? ` Check models.${name}.model and base_url.` : '';
  return failed(
    'MODEL_REFUSED',
    `The model "${name}" (${where}) refuses the request (HTTP ${statusCode})${reason}.${hint}`,
    facts,
  );
}

function failed(code: ErrorCode, message: string, facts: ModelFacts, retryAfterMs?: number): SkillyardError {
  return new SkillyardError(code, message, {
    details: { model: facts.name, ...(retryAfterMs !== undefined && { retryAfterMs }) },
  });
}

function refusedKey(status: number, reason: string, facts: ModelFacts): SkillyardError {
  const { name, where, keyVariable } = facts;
  const advice =
    keyVariable === undefined
      ? `No key was sent: name the variable that holds it in models.${name}.api_key_env.`
      : `Check the key in the environment variable ${keyVariable}.`;
  return failed(
    'MODEL_REFUSED',
    `The model "${name}" (${where}) refuses us (HTTP ${status})${reason}. ${advice}`,
    facts,
  );
}

function unreachable(error: APICallError, facts: ModelFacts): SkillyardError {
  const { name, where } = facts;
  const reason = innermost(error);
  if (/UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT/.test(reason.code)) {
    return failed(
      'MODEL_TIMEOUT',
      `The model "${name}" (${where}) did not answer in time (${reason.text}).`,
      facts,
    );
  }
  return failed(
    'MODEL_UNAVAILABLE',
    `The model "${name}" cannot be reached at ${where}: ${reason.text}.`,
    facts,
  );
}

/** A success that is none: a page, half an answer, another protocol. */
function garbled(error: APICallError, facts: ModelFacts): SkillyardError {
  const { name, where } = facts;
  const body = (error.responseBody ?? '').trim();
  const start = body.slice(0, 80);
  if (/^<(!doctype|html)/i.test(body)) {
    const title = /<title>([^<]*)<\/title>/i.exec(body)?.[1] ?? start;
    return failed(
      'MODEL_UNAVAILABLE',
      `The model "${name}" (${where}) answered with a web page ("${title}") instead of JSON. Check models.${name}.base_url; a proxy may stand in between.`,
      facts,
    );
  }
  const said = saidInJson(body);
  if (body === '' || (/^[[{]/.test(body) && said === undefined)) {
    return failed(
      'MODEL_UNAVAILABLE',
      `The model "${name}" (${where}) gave an answer that was cut off.`,
      facts,
    );
  }
  if (said !== undefined) {
    const what =
      said === ''
        ? `JSON of another shape than expected (${start}…)`
        : `an error instead of an answer: ${said}`;
    return failed(
      'MODEL_UNAVAILABLE',
      `The model "${name}" (${where}) gave ${what}. Check models.${name}.provider and base_url.`,
      facts,
    );
  }
  return failed(
    'MODEL_UNAVAILABLE',
    `The model "${name}" (${where}) answered with something that is not JSON: ${JSON.stringify(start)}. Check models.${name}.base_url.`,
    facts,
  );
}

/** The message of an error in JSON text, empty when it holds none; undefined when it is no JSON. */
function saidInJson(text: string): string | undefined {
  try {
    return messageOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** What the endpoint says of its error, when it says it in JSON; pages are not quoted. */
function errorText(error: APICallError): string {
  const said = messageOf(error.data);
  return said === '' ? '' : `: ${said}`;
}

/** `{error: {message}}`, `{error}` and `{message}` are all in use. */
function messageOf(body: unknown): string {
  const data = body as
    | { error?: { message?: unknown } | string | null; message?: unknown }
    | undefined
    | null;
  const said = typeof data?.error === 'object' ? data.error?.message : (data?.error ?? data?.message);
  return typeof said === 'string' ? trimEnd(said) : '';
}

/** Milliseconds of a Retry-After header: seconds, or a date (RFC 9110 10.2.3); some services add one in milliseconds. */
function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return Math.round(exact);
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return Math.round(seconds * 1000);
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - Date.now());
}

function innermost(error: Error): { text: string; code: string } {
  let found = { text: firstLine(error), code: '' };
  for (let current: unknown = error, depth = 0; current instanceof Error && depth < 6; depth++) {
    const { code } = current as { code?: unknown };
    if (current.message !== '')
      found = { text: firstLine(current), code: typeof code === 'string' ? code : found.code };
    else if (typeof code === 'string') found = { text: code, code };
    current = current.cause;
  }
  return found;
}

const firstLine = (error: unknown): string =>
  trimEnd((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '');
const trimEnd = (text: string): string => text.slice(0, LONGEST_REASON).replace(/[.\s]+$/, '');
