import type { AssetJob, AssetsConfig } from '@skillyard/contracts';
import { publicAddress } from '../public-address.ts';
import type { Environment } from '../redaction.ts';
import { unavailable } from './asset-failure.ts';
import { readBoundedText, tooLarge } from './bounded-text.ts';
import { HttpAllowList, isBelowEntry } from './http-allow-list.ts';
import { connectionFailure, readRetryAfter, statusFailure } from './http-failure.ts';
import type { SourceReader } from './source-reader.ts';

export interface HttpSourceOptions {
  readonly config: AssetsConfig['http'];
  readonly env: Environment;
  readonly maxBytes: number;
}

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * `source: http`: a GET of an address that the configuration lists.
 *
 * H1 Every address is checked against the list before it is connected to: that of the ref and that of each redirect.
 *    Nothing else is asked of a host, not whether it is private: what the operator lists is meant.
 * H2 A header of the configuration goes to the addresses it stands for and to no other, redirects included.
 */
export class HttpSource implements SourceReader {
  readonly #options: HttpSourceOptions;

  constructor(options: HttpSourceOptions) {
    this.#options = options;
  }

  placeOf(): string {
    return '';
  }

  async read({ name, asset }: AssetJob, signal: AbortSignal): Promise<string> {
    const { config, maxBytes } = this.#options;
    if (config === undefined) {
      throw unavailable(
        `Asset "${name}" lies at an address, and none may be fetched. List what may under assets.http.allow.`,
      );
    }
    const allowed = new HttpAllowList(config.allow);
    let url = parseRef(name, asset.ref);
    let from = '';
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const what = `Asset "${name}" (${publicAddress(url.href)}${from})`;
      if (!allowed.allows(url)) {
        throw unavailable(
          `${what} may not be fetched: assets.http.allow does not list this address. Add its beginning there, or correct the ref.`,
        );
      }
      const response = await this.#get(what, url, signal);
      if (!REDIRECTS.has(response.status)) return readAnswer(what, response, maxBytes, signal);
      await response.body?.cancel();
      from = `, where ${publicAddress(url.href)} leads`;
      url = redirectTarget(what, url, response.headers.get('location'));
    }
    throw unavailable(
      `Asset "${name}" (${publicAddress(url.href)}) is behind too many redirects. Check the ref.`,
    );
  }

  async #get(what: string, url: URL, signal: AbortSignal): Promise<Response> {
    const headers = this.#headersFor(url);
    try {
      return await fetch(url, { headers, signal, redirect: 'manual', credentials: 'omit' });
    } catch (error) {
      signal.throwIfAborted();
      throw connectionFailure(what, error);
    }
  }

  #headersFor(url: URL): Headers {
    const headers = new Headers({
      accept: 'text/*, application/json;q=0.9, */*;q=0.5',
      'user-agent': 'skillyard',
    });
    for (const [entry, names] of Object.entries(this.#options.config?.headers_env ?? {})) {
      const place = `assets.http.headers_env["${entry}"]`;
      if (!isBelowEntry(url, entry, 'assets.http.headers_env')) continue;
      for (const [header, variable] of Object.entries(names)) {
        const value = this.#options.env[variable] ?? '';
        if (value === '') {
          throw unavailable(
            `The environment variable ${variable} is not set; ${place} takes the header ${header} from it. Set it and start again.`,
          );
        }
        try {
          headers.set(header, value);
        } catch {
          // What was thrown quotes the value.
          throw unavailable(`The value of ${variable} cannot be sent as the header ${header} (${place}).`);
        }
      }
    }
    return headers;
  }
}

function parseRef(name: string, ref: string): URL {
  const url = URL.canParse(ref) ? new URL(ref) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw unavailable(`The ref of asset "${name}" is no address. Write it in full: https://host/path.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw unavailable(
      `The ref of asset "${name}" holds a user or a password (${publicAddress(ref)}). Take them out and name their variable in assets.http.headers_env.`,
    );
  }
  return url;
}

function redirectTarget(what: string, url: URL, location: string | null): URL {
  if (location === null || !URL.canParse(location, url.href)) {
    throw unavailable(`${what} is answered with a redirect that leads nowhere.`);
  }
  const target = new URL(location, url);
  // A name in an address would be sent as a credential.
  target.username = '';
  target.password = '';
  return target;
}

async function readAnswer(
  what: string,
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const { status, headers, body } = response;
  if (!response.ok) {
    await body?.cancel();
    throw statusFailure(what, status, readRetryAfter(headers.get('retry-after'), Date.now()));
  }
  const announced = Number(headers.get('content-length') ?? 0);
  if (announced > maxBytes) {
    await body?.cancel();
    throw tooLarge(what, `${announced} bytes`, maxBytes);
  }
  if (body === null) return '';
  return readBoundedText(what, chunksOf(what, body, signal), maxBytes);
}

/** The pieces of an answer as they come, unpacked. Leaving early ends the transfer. */
async function* chunksOf(
  what: string,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(what, error);
  }
}
