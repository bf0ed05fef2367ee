import { SkillyardError } from '@skillyard/contracts';

/** What the sockets of a connection fail with. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);
/** Replies of a Redis that starts, that is read only for now, or whose master is away. */
const NOT_NOW = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN) /;
const NO_REPLY = new Set(['Connection is closed.', 'Command timed out']);

/**
 * What an error of a command means when it came because Redis is away: the same may work later.
 * @returns null for any other error
 */
export function redisAway(error: unknown): SkillyardError | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  const isAway =
    error.name === 'MaxRetriesPerRequestError' ||
    NO_REPLY.has(error.message) ||
    NOT_NOW.test(error.message) ||
    (typeof code === 'string' && SOCKET_CODES.has(code));
  if (!isAway) return null;
  return new SkillyardError('REDIS_UNAVAILABLE', 'Redis does not answer now; try again in a moment', {
    cause: error,
  });
}
