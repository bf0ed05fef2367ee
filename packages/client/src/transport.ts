import { type ApiOperation, SkillyardError } from '@skillyard/contracts';
import { type AnyArgs, operationRequest, type OperationRequest } from './operation-request.ts';
import { pause, pauseMs } from './pause.ts';
import { problemError } from './problem-error.ts';
import { Silence } from './silence.ts';

/** Which API, and as whom. Neither key nor token: for an installation without access control. */
export interface ClientOptions {
  /** Where the API is, without `/v1`. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** Asked before each request, for tokens that expire. */
  readonly token?: (() => string | Promise<string>) | undefined;
  /** The one of the platform when absent. */
  readonly fetch?: typeof fetch | undefined;
  /** Further attempts of a request that may be repeated; 4 when absent. */
  readonly retries?: number | undefined;
  /** Of one attempt; 30,000 when absent. Of an event stream: how long it may be silent before it is opened anew. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_RETRIES = 4;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Whoever is told to come back later than this is told so at once. */
const LONGEST_PAUSE_MS = 60_000;
/** Characters of a reply that is not what it should be, in a message. */
const SHOWN_CHARS = 200;
const REPEATED_STATUSES = new Set([429, 503]);

/** What came back. The text of a reply is read at once, but for a stream: a reply that breaks off is none. */
interface Reply {
  readonly response: Response;
  readonly text: string;
}

/** Makes requests, and repeats those that may be. */
export class Transport {
  readonly retries: number;
  readonly timeoutMs: number;
  readonly #url: string;
  readonly #fetch: typeof fetch;
  readonly #token: (() => string | Promise<string>) | undefined;

  constructor({ url, apiKey, token, fetch: fetchWith, retries, timeoutMs }: ClientOptions) {
    this.#url = url.replace(/\/+$/, '');
    // Called as a method, the one of a browser refuses.
    this.#fetch = fetchWith ?? ((...args) => globalThis.fetch(...args));
    this.#token = token ?? (apiKey === undefined ? undefined : () => apiKey);
    this.retries = retries ?? DEFAULT_RETRIES;
    this.timeoutMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /**
   * Carries an operation out and gives what it replied.
   * @throws SkillyardError with the code of the problem; API_UNAVAILABLE when the API cannot be reached
   */
  async call(operation: ApiOperation, args: AnyArgs): Promise<unknown> {
    const request = operationRequest(operation, args);
    const { response, text } = await this.#repeat(request, args.signal, () => {
      const timeout = AbortSignal.timeout(this.timeoutMs);
      return args.signal ? AbortSignal.any([args.signal, timeout]) : timeout;
    });
    return response.status === 204 ? undefined : parseJson(text, request);
  }

  /**
   * Opens the stream of an operation.
   * @param after id of the last message that came
   * @returns with what gives the connection up when it is silent: to be told of each piece that comes, and to be ended
   * @throws SkillyardError as {@link call} does
   */
  async open(
    operation: ApiOperation,
    args: AnyArgs,
    after: string | undefined,
  ): Promise<{ readonly response: Response; readonly silence: Silence }> {
    const { headers, ...asked } = operationRequest(operation, args);
    const resumed = after === undefined ? headers : { ...headers, 'last-event-id': after };
    const request = { ...asked, headers: resumed };
    let silence = new Silence(this.timeoutMs);
    try {
      const { response, text } = await this.#repeat(request, args.signal, () => {
        silence.end();
        silence = new Silence(this.timeoutMs);
        return args.signal ? AbortSignal.any([args.signal, silence.signal]) : silence.signal;
      });
      if (text !== '') throw unexpected(request, 'no event stream', text);
      return { response, silence };
    } catch (error) {
      silence.end();
      throw error;
    }
  }

  async #repeat(
    request: OperationRequest,
    signal: AbortSignal | undefined,
    limit: () => AbortSignal,
  ): Promise<Reply> {
    const attempts = request.repeatable ? this.retries + 1 : 1;
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#attempt(request, signal, limit());
      const { response, text } = 'response' in reply ? reply : { response: null, text: '' };
      if (response?.ok === true) return { response, text };
      const isRefusal = response !== null && !REPEATED_STATUSES.has(response.status);
      const waitMs = pauseMs(attempt, response?.headers.get('retry-after') ?? null);
      if (isRefusal || attempt >= attempts || waitMs > LONGEST_PAUSE_MS)
        throw 'response' in reply ? problemError(reply.response, reply.text) : reply;
      await pause(waitMs, signal);
    }
  }

  /** @returns the reply, whatever it says, or why there is none */
  async #attempt(
    { method, path, headers, body }: OperationRequest,
    signal: AbortSignal | undefined,
    limit: AbortSignal,
  ): Promise<Reply | SkillyardError> {
    const token = await this.#token?.();
    try {
      const response = await this.#fetch(`${this.#url}${path}`, {
        method,
        headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body }),
        signal: limit,
        // The key is for this address and no other.
        redirect: 'error',
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      return { response, text: isStream ? '' : await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      return unreachable(`${method} ${this.#url}${path}`, error);
    }
  }
}

function unreachable(what: string, error: unknown): SkillyardError {
  const message = `${what} was not answered: ${reasonOf(error)}. Look whether the API is at this address, and runs.`;
  return new SkillyardError('API_UNAVAILABLE', message, { cause: error });
}

/** `fetch` says only that it failed; why is behind it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

function parseJson(text: string, request: OperationRequest): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unexpected(request, 'something that is not JSON', text, error);
  }
}

function unexpected(
  { method, path }: OperationRequest,
  what: string,
  text: string,
  cause?: unknown,
): SkillyardError {
  const message = `the API answered ${method} ${path} with ${what}: ${text.slice(0, SHOWN_CHARS)}`;
  return new SkillyardError('API_UNAVAILABLE', message, { cause });
}
