import { createHmac } from 'node:crypto';
import { SkillyardError } from '@skillyard/contracts';

/** A secret that is written in base64, as Standard Webhooks hands it out. */
const BASE64_MARK = 'whsec_';
const MIN_BYTES = 16;

/**
 * Signs requests as Standard Webhooks says (https://www.standardwebhooks.com): who is told can see that it was us, that
 * nothing was changed, and when it was.
 */
export class WebhookSigner {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /** @throws SkillyardError CONFIG_INVALID if the variable is not set, or too short to keep anybody from guessing it */
  static fromEnv(name: string, env: Readonly<Record<string, string | undefined>>): WebhookSigner {
    const secret = env[name] ?? '';
    const isBase64 = secret.startsWith(BASE64_MARK);
    const key = isBase64 ? Buffer.from(secret.slice(BASE64_MARK.length), 'base64') : Buffer.from(secret);
    if (key.length >= MIN_BYTES) return new WebhookSigner(key);
    const message = `webhooks.secret_env names ${name}, which ${secret === '' ? 'is not set' : 'is too short'}; set it to at least ${MIN_BYTES} random bytes, for example with openssl rand -base64 32`;
    throw new SkillyardError('CONFIG_INVALID', message, { details: { variable: name } });
  }

  /**
   * The headers of a request.
   * @param id  the same for every attempt
   * @param nowMs milliseconds since the epoch
   */
  headers(id: string, nowMs: number, body: string): Record<string, string> {
    const timestamp = String(Math.floor(nowMs / 1000));
    const signature = createHmac('sha256', this.#key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  }
}
