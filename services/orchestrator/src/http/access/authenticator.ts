import { ALL_TENANTS, type Caller, type HttpConfig, SkillyardError } from '@skillyard/contracts';
import { type ApiKeys, looksLikeApiKey } from '@skillyard/queue';
import { JsonWebTokens } from './json-web-tokens.ts';
import { requireOwnMachine } from './own-machine.ts';

/** Whom everybody is taken for where nobody has to say who they are. */
const EVERYBODY: Caller = {
  tenant: ALL_TENANTS,
  subject: 'everybody',
  scopes: ['submit', 'read', 'answer', 'operate', 'admin'],
  roles: [],
};

/** Finds out who makes a request. There are no cookies, so that no page of somebody else can make a browser act for its user. */
export class Authenticator {
  readonly #isOff: boolean;
  readonly #publicUrl: string | undefined;
  readonly #keys: ApiKeys;
  readonly #tokens: JsonWebTokens | null;

  constructor(config: Pick<HttpConfig, 'auth' | 'jwt' | 'public_url'>, keys: ApiKeys) {
    const { auth, jwt, public_url: publicUrl } = config;
    this.#isOff = auth === 'off';
    this.#publicUrl = publicUrl;
    this.#keys = keys;
    this.#tokens = jwt === undefined ? null : new JsonWebTokens(jwt);
  }

  /**
   * @param headers with names in lower case: `authorization: Bearer <key or token>`, or `x-api-key: <key>`
   * @throws SkillyardError UNAUTHENTICATED; API_UNAVAILABLE if the keys of the issuer of tokens cannot be read; FORBIDDEN
   *   where nobody has to say who they are, for the page of somebody else
   */
  async authenticate(headers: Readonly<Record<string, string | undefined>>): Promise<Caller> {
    if (this.#isOff) {
      requireOwnMachine(headers, this.#publicUrl);
      return EVERYBODY;
    }
    const credential = credentialOf(headers);
    if (this.#tokens !== null && !looksLikeApiKey(credential)) return this.#tokens.verify(credential);
    const caller = await this.#keys.verify(credential);
    if (caller !== null) return caller;
    throw unauthenticated('the API key is not valid: it was mistyped, revoked, or has expired');
  }
}

function credentialOf({
  authorization,
  'x-api-key': key,
}: Readonly<Record<string, string | undefined>>): string {
  if (authorization === undefined) {
    if (key !== undefined) return key;
    throw unauthenticated('the request has no API key; send it as `Authorization: Bearer <key>`');
  }
  const [, credential] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  if (credential !== undefined) return credential;
  throw unauthenticated('the header `Authorization` is not of the form `Bearer <key>`');
}

function unauthenticated(message: string): SkillyardError {
  return new SkillyardError('UNAUTHENTICATED', message);
}
