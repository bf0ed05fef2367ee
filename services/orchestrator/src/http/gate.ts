import { type ApiRoute, type Caller, SkillyardError } from '@skillyard/contracts';
import type { RequestRates } from '@skillyard/queue';
import { requireScope } from './access/permission.ts';

/** The headers of a request, by their names in small letters. */
export type Headers = Readonly<Record<string, string | undefined>>;

export interface GateParts {
  /** @throws SkillyardError UNAUTHENTICATED */
  authenticate(headers: Headers): Promise<Caller>;
  readonly rates: Pick<RequestRates, 'take'>;
  /** Requests that a tenant may make in a minute. */
  requestsPerMinute(tenant: string): number;
}

/** Who may come in: asked before anything else of a request is looked at. */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** @throws SkillyardError UNAUTHENTICATED */
  identify(headers: Headers): Promise<Caller> {
    return this.#parts.authenticate(headers);
  }

  /**
   * Looks whether somebody who came in may stay: their key may have been revoked since, or their token has expired. What
   * cannot be found out now is asked again later.
   * @throws SkillyardError UNAUTHENTICATED, FORBIDDEN
   */
  async mayStay(headers: Headers, route: Pick<ApiRoute, 'scope'>): Promise<void> {
    let caller: Caller;
    try {
      caller = await this.identify(headers);
    } catch (error) {
      if (SkillyardError.is(error, 'UNAUTHENTICATED')) throw error;
      return;
    }
    requireScope(caller, route.scope);
  }

  /** @throws SkillyardError RATE_LIMITED, FORBIDDEN */
  async admit(caller: Caller, route: Pick<ApiRoute, 'scope'>): Promise<void> {
    const perMinute = this.#parts.requestsPerMinute(caller.tenant);
    const { ok, retryAfterMs } = await this.#parts.rates.take(caller.tenant, perMinute);
    if (!ok) {
      const message = `tenant "${caller.tenant}" may make ${perMinute} requests a minute; try again in ${retryAfterMs} ms`;
      throw new SkillyardError('RATE_LIMITED', message, { details: { retryAfterMs } });
    }
    requireScope(caller, route.scope);
  }
}
