import type { SkillyardError } from '@skillyard/contracts';
import { unavailable, unavailableNow } from './asset-failure.ts';

const TRANSIENT_STATUS = new Set([408, 425, 429]);
const MOST_CAUSES = 6;

/** What an answer that is no success means for the asset. */
export function statusFailure(
  what: string,
  status: number,
  retryAfterMs: number | undefined,
): SkillyardError {
  if (status >= 500 || TRANSIENT_STATUS.has(status)) {
    const wait = retryAfterMs === undefined ? '' : `, and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    return unavailableNow(`${what} cannot be had at the moment (HTTP ${status}${wait}).`, { retryAfterMs });
  }
  if (status === 401 || status === 403) {
    return unavailable(
      `${what} is refused to us (HTTP ${status}). Check the credentials that assets.http.headers_env takes from the environment.`,
    );
  }
  if (status === 404 || status === 410)
    return unavailable(`${what} is not there (HTTP ${status}). Check the ref.`);
  return unavailable(`${what} cannot be had (HTTP ${status}). Check the ref.`);
}

/** Milliseconds of a Retry-After header: seconds, or a date (RFC 9110 10.2.3). */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  EPIPE: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection took too long',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
};

/** Why a request got no answer, or not all of one. */
export function connectionFailure(what: string, error: unknown): SkillyardError {
  const { code, text } = innermost(error);
  if (/CERT|TLS|SSL|SIGNATURE|SELF_SIGNED/.test(code)) {
    return unavailable(`${what} cannot be reached in a way that can be trusted: ${text}.`, { cause: error });
  }
  if (/^(Z_|HPE_)/.test(code)) {
    return unavailable(`${what} is not answered in proper HTTP: ${text}.`, { cause: error });
  }
  // A rule of fetch, not of the network: ports of other protocols are never asked.
  if (text === 'bad port')
    return unavailable(`${what} has a port that is not asked over HTTP.`, { cause: error });
  return unavailableNow(`${what} cannot be had at the moment: ${REASONS[code] ?? text}.`, { cause: error });
}

/** `fetch failed` says nothing; what caused it has the code. */
function innermost(error: unknown): { code: string; text: string } {
  let found = { code: '', text: String(error) };
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MOST_CAUSES; depth++) {
    const { code } = current as { code?: unknown };
    found = {
      code: typeof code === 'string' ? code : found.code,
      text:
        current.message === '' ? found.text : (current.message.split('\n')[0] ?? '').replace(/[.\s]+$/, ''),
    };
    current = current.cause;
  }
  return found;
}
