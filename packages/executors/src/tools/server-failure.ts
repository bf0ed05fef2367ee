import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { type ErrorCode, SkillyardError } from '@skillyard/contracts';

/** What is known of a server when something failed. */
export interface ServerFacts {
  readonly name: string;
  /** How it is reached, for people: the command line, or the address. */
  readonly where: string;
  readonly http: boolean;
  /** How its process ended. */
  readonly exitReason?: string | undefined;
  /** The first thing it wrote that was no message. */
  readonly garbage?: string | undefined;
  /** The last lines of its stderr. */
  readonly lastWords: readonly string[];
  /** Variables it should have been given and that are not set. */
  readonly missingVariables: readonly string[];
}

const JSON_RPC_INVALID_PARAMS = -32_602;
const JSON_RPC_METHOD_NOT_FOUND = -32_601;

const because = (code: ErrorCode, facts: ServerFacts, message: string, sent: boolean): SkillyardError =>
  new SkillyardError(code, message + traces(facts), { details: { server: facts.name, sent } });

/** What the server left behind that may say why. */
function traces(facts: ServerFacts): string {
  const missing =
    facts.missingVariables.length > 0
      ? ` Not set, and named in env_from: ${facts.missingVariables.join(', ')}.`
      : '';
  const words = facts.lastWords.length > 0 ? ` It wrote last: ${facts.lastWords.join(' | ')}` : '';
  return missing + words;
}

/** Why a server could not be connected to. */
export function startFailure(error: unknown, facts: ServerFacts, timeoutMs: number): SkillyardError {
  const { name, where } = facts;
  if (SkillyardError.is(error)) return error;
  const refused = refusal(error, facts, false);
  if (refused !== undefined) return refused;
  if (isCode(error, 'ENOENT')) {
    return because(
      'SERVER_UNAVAILABLE',
      facts,
      `The tool server "${name}" does not start: there is no such program or working folder (${where}). Correct servers.${name}.command or cwd, or install it.`,
      false,
    );
  }
  if (facts.exitReason !== undefined) {
    return because(
      'SERVER_UNAVAILABLE',
      facts,
      `The tool server "${name}" does not start: ${where} ${facts.exitReason}.`,
      false,
    );
  }
  if (facts.garbage !== undefined || isGarbled(error)) return garbled(facts, error, false);
  if (isTimeout(error)) {
    return because(
      'SERVER_UNAVAILABLE',
      facts,
      `The tool server "${name}" (${where}) did not answer the handshake within ${seconds(timeoutMs)}. Check that it speaks MCP over ${facts.http ? 'streamable HTTP at this address' : 'its standard streams'}.`,
      false,
    );
  }
  return because(
    'SERVER_UNAVAILABLE',
    facts,
    `The tool server "${name}" cannot be reached at ${where}: ${reasonOf(error)}.`,
    false,
  );
}

/** Why a call failed after the connection stood. */
export function callFailure(
  error: unknown,
  facts: ServerFacts,
  tool: string,
  timeoutMs: number,
): SkillyardError {
  const { name, where } = facts;
  if (SkillyardError.is(error)) return error;
  const refused = refusal(error, facts, true);
  if (refused !== undefined) return refused;
  if (error instanceof ProtocolError) return protocolFailure(error, facts, tool);
  if (isTimeout(error)) {
    if (facts.garbage !== undefined) return garbled(facts, error, true);
    return because(
      'TOOL_TIMEOUT',
      facts,
      `${name}:${tool} did not answer within ${seconds(timeoutMs)}; it may have been carried out all the same. Give it more time with servers.${name}.timeout, or look at the server.`,
      true,
    );
  }
  if (isGarbled(error)) return garbled(facts, error, true);
  const neverLeft =
    isCode(error, 'ECONNREFUSED') || isCode(error, 'ENOTFOUND') || isCode(error, SdkErrorCode.NotConnected);
  const gone = facts.exitReason === undefined ? `has gone (${reasonOf(error)})` : facts.exitReason;
  return because(
    'SERVER_UNAVAILABLE',
    facts,
    `The tool server "${name}" (${where}) ${gone} ${neverLeft ? 'before it was sent' : 'during'} the call of ${tool}.`,
    !neverLeft,
  );
}

/** What a server sent instead of the protocol. */
export function garbled(facts: ServerFacts, error: unknown, sent: boolean): SkillyardError {
  const what = facts.garbage ?? (error instanceof Error ? firstLine(error.message) : '');
  return because(
    'SERVER_GARBLED',
    facts,
    `The tool server "${facts.name}" (${facts.where}) answered with something that is not MCP: ${JSON.stringify(what.slice(0, 160))}. Check that ${facts.http ? 'the address is that of its MCP endpoint' : 'it writes nothing but the protocol to stdout'}.`,
    sent,
  );
}

function protocolFailure(error: ProtocolError, facts: ServerFacts, tool: string): SkillyardError {
  const name = `${facts.name}:${tool}`;
  if (/output schema/.test(error.message)) {
    return because(
      'SERVER_GARBLED',
      facts,
      `The result of ${name} does not fit the tool's own output schema: ${firstLine(error.message)}.`,
      true,
    );
  }
  if (error.code === JSON_RPC_INVALID_PARAMS) {
    return because(
      'TOOL_ARGUMENTS_INVALID',
      facts,
      `${name} refuses the arguments: ${firstLine(error.message)}.`,
      true,
    );
  }
  if (error.code === JSON_RPC_METHOD_NOT_FOUND) {
    return because(
      'TOOL_UNKNOWN',
      facts,
      `The tool server "${facts.name}" takes no calls of tools (${firstLine(error.message)}).`,
      false,
    );
  }
  return because('TOOL_FAILED', facts, `${name} failed: ${firstLine(error.message)} (${error.code}).`, true);
}

function refusal(error: unknown, facts: ServerFacts, inCall: boolean): SkillyardError | undefined {
  const status = httpStatus(error);
  if (status === undefined) return undefined;
  const { name, where } = facts;
  if (status === 401 || status === 403) {
    return because(
      'TOOL_DENIED',
      facts,
      `The tool server "${name}" at ${where} refuses us (HTTP ${status}). Check the credentials in servers.${name}.headers_env.`,
      false,
    );
  }
  if (status >= 500 || status === 429) {
    return because(
      'SERVER_UNAVAILABLE',
      facts,
      `The tool server "${name}" at ${where} answered HTTP ${status}.`,
      inCall && status !== 429 && status !== 503,
    );
  }
  return because(
    'SERVER_GARBLED',
    facts,
    `The tool server "${name}" at ${where} answered HTTP ${status}. Check that servers.${name}.url is the address of its MCP endpoint.`,
    false,
  );
}

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

function httpStatus(error: unknown): number | undefined {
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

function isGarbled(error: unknown): boolean {
  for (const cause of causes(error)) {
    if (cause instanceof SdkError && GARBLED_CODES.has(cause.code)) return true;
    if (cause instanceof SyntaxError || (cause instanceof Error && /ZodError/.test(cause.name))) return true;
  }
  return false;
}

/** Looks for a system code in an error and in what caused it. */
function isCode(error: unknown, code: string): boolean {
  for (const cause of causes(error)) {
    if ((cause as { code?: unknown }).code === code) return true;
    // Node tries each address of a host and collects what went wrong.
    const { errors } = cause as { errors?: unknown };
    if (Array.isArray(errors) && errors.some((inner) => isCode(inner, code))) return true;
  }
  return false;
}

/** The innermost message: `fetch failed` says nothing, its cause does. */
function reasonOf(error: unknown): string {
  let reason = '';
  for (const cause of causes(error))
    if (cause instanceof Error && cause.message !== '') reason = cause.message;
  return firstLine(reason === '' ? String(error) : reason);
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 300).replace(/[.:\s]+$/, '');

const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`);
