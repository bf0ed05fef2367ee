import type { Caller } from '@skillyard/contracts';
import type { AuditLog } from '@skillyard/queue';
import type { Logger } from '../logger.ts';
import type { NamedRoute } from './handler.ts';

/** Characters of a target that are kept: part of it may be what the caller chose. */
const TARGET_LENGTH = 500;

/** What an audit line is made of. */
export interface AuditedRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** What the handler gave; undefined when it was not reached, or failed. */
  readonly result: unknown;
  readonly status: number;
}

/** Writes the lines of the audit log. */
export class AuditTrail {
  readonly #log: Pick<AuditLog, 'record'>;
  readonly #logger: Logger;

  constructor(log: Pick<AuditLog, 'record'>, logger: Logger) {
    this.#log = log;
    this.#logger = logger;
  }

  /**
   * Notes a request to an operation that is audited. What was done cannot be undone because its line could not be
   * written: then the log of the process has the line.
   */
  async note({ operation }: NamedRoute, { caller, params, result, status }: AuditedRequest): Promise<void> {
    const { tenant, subject } = caller;
    const target = targetOf(params, result).slice(0, TARGET_LENGTH);
    const entry = { atMs: Date.now(), tenant, subject, operation, target, status };
    this.#logger.info({ audit: entry }, 'audit');
    try {
      await this.#log.record(entry);
    } catch (error) {
      this.#logger.error({ err: error }, 'a line of the audit log could not be written to Redis');
    }
  }
}

/** What the address names; else what was made. */
function targetOf(params: Readonly<Record<string, string>>, result: unknown): string {
  // Of a part of a turn the name of the turn comes first, and that of the part says all.
  const named = Object.values(params).at(-1);
  if (named !== undefined) return named;
  const made = (result ?? {}) as { readonly key?: { readonly keyId?: string }; readonly name?: string };
  return made.key?.keyId ?? made.name ?? '';
}
