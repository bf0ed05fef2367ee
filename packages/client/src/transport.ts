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
const REPEATED_STATUSES = new Set([429, 503]);

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
    const response = await this.#repeat(request, args.signal, () => {
      const timeout = AbortSignal.timeout(this.timeoutMs);
      return args.signal ? AbortSignal.any([args.signal, timeout]) : timeout;
    });
    return response.status === 204 ? undefined : readJson(response, request);
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
    const { headers, ...request } = operationRequest(operation, args);
    const resumed = after === undefined ? headers : { ...headers, 'last-event-id': after };
    let silence = new Silence(this.timeoutMs);
    try {
      const response = await this.#repeat({ ...request, headers: resumed }, args.signal, () => {
        silence.end();
        silence = new Silence(this.timeoutMs);
        return args.signal ? AbortSignal.any([args.signal, silence.signal]) : silence.signal;
      });
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
  ): Promise<Response> {
    const attempts = request.repeatable ? this.retries + 1 : 1;
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#attempt(request, signal, limit());
      if (reply instanceof Response && reply.ok) return reply;
      const isRefusal = reply instanceof Response && !REPEATED_STATUSES.has(reply.status);
      const waitMs = pauseMs(attempt, reply instanceof Response ? reply.headers.get('retry-after') : null);
      if (isRefusal || attempt >= attempts || waitMs > LONGEST_PAUSE_MS)
        throw reply instanceof Response ? await problemError(reply) : reply;
      // Read to its end, so that the connection can be used again.
      if (reply instanceof Response) await reply.arrayBuffer();
      await pause(waitMs, signal);
    }
  }

  /** @returns the reply, or why there is none */
  async #attempt(
    { method, path, headers, body }: OperationRequest,
    signal: AbortSignal | undefined,
    limit: AbortSignal,
  ): Promise<Response | SkillyardError> {
    const token = await this.#token?.();
    try {
      return await this.#fetch(`${this.#url}${path}`, {
        method,
        headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body }),
        signal: limit,
        // The key is for this address and no other.
        redirect: 'error',
      });
    } catch (error) {
      signal?.throwIfAborted();
      return unreachable(`${method} ${this.#url}${path}`, error);
    }
  }
}

function unreachable(what: string, error: unknown): SkillyardError {
  const message = `${what} was not answered: ${reasonOf(error)}`;
  return new SkillyardError('API_UNAVAILABLE', message, { cause: error });
}

/** `fetch` says only that it failed; why is behind it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

async function readJson(response: Response, { method, path }: OperationRequest): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    const message = `the API answered ${method} ${path} with status ${response.status} and something that is not JSON`;
    throw new SkillyardError('API_UNAVAILABLE', message, { cause: error });
  }
}
