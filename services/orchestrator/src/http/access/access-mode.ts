import { type HttpConfig, SkillyardError } from '@skillyard/contracts';
import { isLoopback } from '@skillyard/runtime';

export const DEFAULT_HOST = '127.0.0.1';

/**
 * Whether callers have to say who they are. They need not where only this machine can be a caller: at a loopback host, as
 * long as nothing says that somebody stands in front of it for others (a public address, an issuer of tokens).
 * @throws SkillyardError CONFIG_INVALID if everybody would be let in at an address that other machines reach
 */
export function accessMode(http: HttpConfig): 'required' | 'off' {
  const { host = DEFAULT_HOST, auth, jwt, public_url: publicUrl } = http;
  const isOurs = isLoopback(host);
  if (auth === undefined) return isOurs && jwt === undefined && publicUrl === undefined ? 'off' : 'required';
  if (auth === 'required' || isOurs) return auth;
  const message =
    `http.auth is off, and http.host ${host} can be reached from other machines: everybody there could do everything. ` +
    'Set http.host to 127.0.0.1, or leave http.auth out and make keys with `skillyard keys create`.';
  throw new SkillyardError('CONFIG_INVALID', message, { details: { host } });
}
