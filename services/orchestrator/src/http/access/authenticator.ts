import { ALL_TENANTS, type Caller, type HttpConfig, SkillyardError } from '@skillyard/contracts';
import { type ApiKeys, looksLikeApiKey } from '@skillyard/queue';
import { JsonWebTokens } from './json-web-tokens.ts';

/** Whom everybody is taken for where nobody has to say who they are. */
const EVERYBODY: Caller = {
  tenant: ALL_TENANTS,
  subject: 'everybody',
  scopes: ['submit', 'read', 'operate', 'admin'],
  roles: [],
};

/** Finds out who makes a request. There are no cookies, so that no page of somebody else can make a browser act for its user. */
export class Authenticator {
  readonly #isOff: boolean;
  readonly #keys: ApiKeys;
  readonly #tokens: JsonWebTokens | null;

  constructor({ auth, jwt }: Pick<HttpConfig, 'auth' | 'jwt'>, keys: ApiKeys) {
    this.#isOff = auth === 'off';
    this.#keys = keys;
    this.#tokens = jwt === undefined ? null : new JsonWebTokens(jwt);
  }

  /**
   * @param headers with names in lower case: `authorization: Bearer <key or token>`, or `x-api-key: <key>`
   * @throws SkillyardError UNAUTHENTICATED, or API_UNAVAILABLE if the keys of the issuer of tokens cannot be read
   */
  async authenticate(headers: Readonly<Record<string, string | undefined>>): Promise<Caller> {
    if (this.#isOff) return EVERYBODY;
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
