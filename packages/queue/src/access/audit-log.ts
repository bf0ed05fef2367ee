import { ALL_TENANTS, type AuditEntry, type AuditPage, SkillyardError } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';

/** Entries that are kept of each tenant, and of all together. */
const MOST = 10_000;
const DEFAULT_LIMIT = 50;
const CURSOR_PATTERN = /^\d{1,15}-\d{1,15}$/;

/** Which entries are listed. */
export interface AuditQuery {
  /** `*` for the entries of all. */
  readonly tenant: string;
  /** `next` of the page before. */
  readonly cursor?: string | null | undefined;
  readonly limit?: number | undefined;
}

/**
 * Who did what that others feel. A stream for each tenant and one for all of them, so that a busy tenant pushes nothing
 * out of the log of a quiet one.
 */
export class AuditLog {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  async record(entry: Omit<AuditEntry, 'id'>): Promise<void> {
    const { redis, keys } = this.#connection;
    const json = JSON.stringify(entry);
    const tenants = new Set([entry.tenant, ALL_TENANTS]);
    await Promise.all(
      [...tenants].map((tenant) => redis.xadd(keys.audit(tenant), 'MAXLEN', '~', MOST, '*', 'e', json)),
    );
  }

  /**
   * Entries, the latest first.
   * @throws SkillyardError INPUT_INVALID if the cursor is none of ours
   */
  async list({ tenant, cursor = null, limit = DEFAULT_LIMIT }: AuditQuery): Promise<AuditPage> {
    if (cursor !== null && !CURSOR_PATTERN.test(cursor)) {
      throw new SkillyardError('INPUT_INVALID', 'the cursor is not one that a page before gave as `next`');
    }
    const { redis, keys } = this.#connection;
    const end = cursor === null ? '+' : `(${cursor}`;
    const found = await redis.xrevrange(keys.audit(tenant), end, '-', 'COUNT', limit);
    const entries = found.map(([id, [, json = '{}']]) => ({
      id,
      ...(JSON.parse(json) as Omit<AuditEntry, 'id'>),
    }));
    return { entries, next: entries.length === limit ? (entries.at(-1)?.id ?? null) : null };
  }
}
