import { type Config, SkillyardError, type TenantConfig } from '@skillyard/contracts';

/** The name under which the configuration has what holds for all tenants that it does not name. */
const OTHERS = '*';
const NO_LIMITS: TenantConfig = {};
/** An end is counted this long after it can be seen, at the latest, unless Redis is slow. */
const COUNTED_AFTER_MS = 150;

/** What counts the turns of tenants. */
export interface OpenTurns {
  /** Turns of a tenant that have not ended. */
  countOpen(tenant: string): Promise<number>;
}

/** What the configuration lets each tenant take. */
export class TenantLimits {
  readonly #tenants: NonNullable<Config['tenants']>;
  readonly #turns: OpenTurns;

  constructor(tenants: Config['tenants'], turns: OpenTurns) {
    this.#tenants = tenants ?? {};
    this.#turns = turns;
  }

  /** The limits of a tenant: its own, or those of `*`; never both. */
  of(tenant: string): TenantConfig {
    if (Object.hasOwn(this.#tenants, tenant)) return this.#tenants[tenant] ?? NO_LIMITS;
    return this.#tenants[OTHERS] ?? NO_LIMITS;
  }

  /**
   * Looks whether a tenant may submit one turn more. Submissions that come at the same moment see the same count, so that
   * a few too many may get through: the limit keeps one tenant from filling Redis, and need not be exact.
   * @throws SkillyardError TENANT_LIMIT
   */
  async admit(tenant: string): Promise<void> {
    const { active_turns: most } = this.of(tenant);
    if (most === undefined || (await this.#turns.countOpen(tenant)) < most) return;
    // Whoever saw the end of a turn may be here before the end is counted.
    await new Promise((resolve) => setTimeout(resolve, COUNTED_AFTER_MS));
    const open = await this.#turns.countOpen(tenant);
    if (open < most) return;
    throw new SkillyardError(
      'TENANT_LIMIT',
      `tenant ${tenant} has ${open} turns that have not ended, and may have ${most}; wait until some of them end, or cancel some`,
      { details: { tenant, activeTurns: open, limit: most } },
    );
  }
}
