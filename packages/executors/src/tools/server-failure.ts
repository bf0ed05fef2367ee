import { ProtocolError, SdkErrorCode } from '@modelcontextprotocol/client';
import { type ErrorCode, SkillyardError } from '@skillyard/contracts';
import { firstLine, httpStatus, isCode, isGarbled, isTimeout, reasonOf } from './error-kind.ts';

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

const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`);
