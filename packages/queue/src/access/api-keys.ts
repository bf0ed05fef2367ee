import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  ALL_TENANTS,
  type ApiKey,
  type ApiKeyRequest,
  type Caller,
  type CreatedApiKey,
  DEFAULT_TENANT,
  SkillyardError,
} from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';

/** Keys of one tenant that have not expired. */
const MOST = 1000;
const SECRET_BYTES = 32;
const SECRET_PATTERN = /^sky_([A-Za-z0-9]{1,40})_([A-Za-z0-9_-]{43})$/;

/** A key as Redis holds it. */
interface StoredKey extends ApiKey {
  /**
   * SHA-256 of the secret, in hex. A slow hash would gain nothing: it makes guessing of what people choose costly, and
   * this secret is 256 random bits.
   */
  readonly hash: string;
}

/** Whether a text is meant as an API key, valid or not. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith('sky_');
}

/**
 * The keys of the HTTP API. Redis holds hashes of them only. Nothing is cached: a key is read in one round trip for every
 * request, so that one that is revoked is refused from that moment on, by every orchestrator.
 */
export class ApiKeys {
  readonly #connection: QueueConnection;
  readonly #now: () => number;

  constructor(connection: QueueConnection, now: () => number = Date.now) {
    this.#connection = connection;
    this.#now = now;
  }

  /**
   * Makes a key. What it may do is not judged here.
   * @param by who makes it
   * @throws SkillyardError INPUT_INVALID if it would have expired already, or the tenant has too many
   */
  async create(request: ApiKeyRequest, by: string): Promise<CreatedApiKey> {
    const createdAtMs = this.#now();
    const { tenant = DEFAULT_TENANT, name, scopes, roles = [], expiresAtMs = null } = request;
    if (expiresAtMs !== null && expiresAtMs <= createdAtMs) {
      throw new SkillyardError('INPUT_INVALID', 'the key would have expired already; choose a later time');
    }
    await this.#makeRoom(tenant);
    const keyId = randomBytes(8).toString('hex');
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const key = { keyId, tenant, name, scopes, roles, createdAtMs, createdBy: by, expiresAtMs };
    const stored: StoredKey = { ...key, hash: hashOf(secret).toString('hex') };
    const { redis, keys } = this.#connection;
    await redis.hset(keys.apiKeys, keyId, JSON.stringify(stored));
    return { key, secret: `sky_${keyId}_${secret}` };
  }

  /**
   * Whose key a text is.
   * @returns null for one that never was, was revoked, or has expired: which of them is nobody's business
   */
  async verify(text: string): Promise<Caller | null> {
    const [, keyId, secret] = SECRET_PATTERN.exec(text) ?? [];
    if (keyId === undefined || secret === undefined) return null;
    const stored = await this.#read(keyId);
    if (stored === null || !timingSafeEqual(hashOf(secret), Buffer.from(stored.hash, 'hex'))) return null;
    if (this.#hasExpired(stored)) return null;
    const { tenant, scopes, roles } = stored;
    return { tenant, subject: `key:${keyId}`, scopes, roles };
  }

  /** The keys of a tenant, the newest first, expired ones included; `*` for those of all. */
  async list(tenant: string): Promise<ApiKey[]> {
    const all = await this.#all();
    return all
      .filter((key) => tenant === ALL_TENANTS || key.tenant === tenant)
      .toSorted((a, b) => b.createdAtMs - a.createdAtMs || (a.keyId < b.keyId ? -1 : 1))
      .map(({ hash: _hash, ...key }) => key);
  }

  /**
   * Makes a key worthless from this moment on.
   * @param tenant whose key it has to be; `*` for anybody's
   * @throws SkillyardError KEY_NOT_FOUND if the tenant has no such key
   */
  async revoke(keyId: string, tenant: string): Promise<void> {
    const stored = await this.#read(keyId);
    const { redis, keys } = this.#connection;
    const mine = stored !== null && (tenant === ALL_TENANTS || stored.tenant === tenant);
    if (!mine || (await redis.hdel(keys.apiKeys, keyId)) === 0) {
      const message = `there is no API key "${keyId}"; look at the list of keys for its id`;
      throw new SkillyardError('KEY_NOT_FOUND', message, { details: { keyId } });
    }
  }

  /** Forgets expired keys of a tenant, and refuses when the others are as many as there may be. */
  async #makeRoom(tenant: string): Promise<void> {
    const own = (await this.#all()).filter((key) => key.tenant === tenant);
    if (own.length < MOST) return;
    const expired = own.filter((key) => this.#hasExpired(key)).map(({ keyId }) => keyId);
    if (expired.length === 0) {
      const message = `the tenant has ${MOST} API keys, as many as it may; revoke one that is not used`;
      throw new SkillyardError('INPUT_INVALID', message, { details: { tenant } });
    }
    await this.#connection.redis.hdel(this.#connection.keys.apiKeys, ...expired);
  }

  #hasExpired({ expiresAtMs }: ApiKey): boolean {
    return expiresAtMs !== null && expiresAtMs <= this.#now();
  }

  async #read(keyId: string): Promise<StoredKey | null> {
    const json = await this.#connection.redis.hget(this.#connection.keys.apiKeys, keyId);
    return json === null ? null : (JSON.parse(json) as StoredKey);
  }

  async #all(): Promise<StoredKey[]> {
    const texts = await this.#connection.redis.hvals(this.#connection.keys.apiKeys);
    return texts.map((json) => JSON.parse(json) as StoredKey);
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
