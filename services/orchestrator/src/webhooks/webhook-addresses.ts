import { SkillyardError, type WebhooksConfig } from '@skillyard/contracts';
import { HttpAllowList } from '@skillyard/executors';

/** The addresses that may be told of the ends of turns: those the operator allows, and nothing is allowed by itself. */
export class WebhookAddresses {
  readonly #allowed: HttpAllowList | null;

  /**
   * @param config null where there are no webhooks
   * @throws SkillyardError CONFIG_INVALID for an entry of `webhooks.allow` that is no address
   */
  constructor(config: WebhooksConfig | undefined) {
    this.#allowed = config === undefined ? null : readAllowed(config.allow);
  }

  /**
   * Looks whether an address may be told, when a turn is submitted and again when it is told.
   * @throws SkillyardError INPUT_INVALID
   */
  check(address: string): URL {
    if (this.#allowed === null) {
      const message =
        'this installation tells nobody of the ends of turns: its configuration has no `webhooks`';
      throw new SkillyardError('INPUT_INVALID', message);
    }
    const url = URL.canParse(address) ? new URL(address) : null;
    if (url === null || url.username !== '' || url.password !== '' || url.hash !== '')
      throw new SkillyardError('INPUT_INVALID', 'webhook has to be an address without user and fragment');
    if (this.#allowed.allows(url)) return url;
    const message = `webhook ${url.origin} is not among the addresses of \`webhooks.allow\` in the configuration`;
    throw new SkillyardError('INPUT_INVALID', message, { details: { origin: url.origin } });
  }
}

function readAllowed(entries: readonly string[]): HttpAllowList {
  try {
    return new HttpAllowList(entries, 'webhooks.allow');
  } catch (cause) {
    if (!SkillyardError.is(cause)) throw cause;
    throw new SkillyardError('CONFIG_INVALID', cause.message, { cause });
  }
}
