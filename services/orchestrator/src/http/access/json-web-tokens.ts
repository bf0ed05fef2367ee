import { ApiScope, Caller, type JwtConfig, SkillyardError } from '@skillyard/contracts';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { Value } from 'typebox/value';

/** Only signatures that nobody can make with what is public. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const CLOCK_TOLERANCE_SECONDS = 5;
const FETCH_TIMEOUT_MS = 5000;
const MAX_ROLE_LENGTH = 100;

/** Tokens of an issuer that the configuration trusts. Its public keys are fetched when needed, and kept for a while. */
export class JsonWebTokens {
  readonly #config: JwtConfig;
  readonly #keys: JWTVerifyGetKey;

  constructor(config: JwtConfig) {
    this.#config = config;
    this.#keys = createRemoteJWKSet(new URL(config.jwks_url), { timeoutDuration: FETCH_TIMEOUT_MS });
  }

  /**
   * Whose token it is.
   * @throws SkillyardError UNAUTHENTICATED if it is not valid, API_UNAVAILABLE if nobody can say
   */
  async verify(token: string): Promise<Caller> {
    const { issuer, audience } = this.#config;
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'sub'],
      });
      return this.#callerOf(payload);
    } catch (error) {
      if (SkillyardError.is(error)) throw error;
      if (isVerdict(error)) throw refused(error.message, error);
      const message = 'the public keys of the issuer of tokens cannot be read now; try again';
      throw new SkillyardError('API_UNAVAILABLE', message, { cause: error });
    }
  }

  #callerOf(payload: JWTPayload): Caller {
    const { tenant_claim = 'tenant', scopes_claim = 'scope', roles_claim = 'roles' } = this.#config;
    const tenant = payload[tenant_claim];
    const caller = {
      tenant,
      subject: `jwt:${payload.sub ?? ''}`,
      scopes: [...new Set(words(payload[scopes_claim]))].filter((word) => Value.Check(ApiScope, word)),
      roles: [...new Set(words(payload[roles_claim]))].filter(({ length }) => length <= MAX_ROLE_LENGTH),
    };
    if (Value.Check(Caller, caller)) return caller;
    if (!Value.Check(Caller.properties.tenant, tenant)) {
      throw refused(`its claim "${tenant_claim}" names no tenant: a-z 0-9 _ -, or * for all`);
    }
    throw refused('its subject is too long');
  }
}

/** A list of words, or one text with spaces between them. Anything else is none. */
function words(claim: unknown): string[] {
  const list: unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return list.filter((word): word is string => typeof word === 'string' && word !== '');
}

/** Whether an error says something about the token, and not that the keys of its issuer cannot be had. */
function isVerdict(error: unknown): error is errors.JOSEError {
  const aboutKeys = [errors.JWKSTimeout, errors.JWKSInvalid];
  return (
    error instanceof errors.JOSEError &&
    error.code !== errors.JOSEError.code &&
    !aboutKeys.some((kind) => error instanceof kind)
  );
}

function refused(why: string, cause?: unknown): SkillyardError {
  return new SkillyardError('UNAUTHENTICATED', `the token is not valid: ${why}`, {
    ...(cause !== undefined && { cause }),
  });
}
