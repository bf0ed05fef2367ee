import { randomBytes } from 'node:crypto';

export interface SessionTableOptions {
  /** A session that is not used for so long is forgotten. */
  readonly idleMs: number;
  /** When there are more, the one that was not used for longest is forgotten. */
  readonly maxSessions: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Sessions in memory, by an id that cannot be guessed. */
export class SessionTable<Session> {
  readonly #options: SessionTableOptions;
  /** In the order of their last use: the first was not used for longest. */
  readonly #entries = new Map<string, { readonly session: Session; usedAtEpochMs: number }>();

  constructor(options: SessionTableOptions) {
    this.#options = options;
  }

  /** @returns its id, 32 hexadecimal digits */
  add(session: Session): string {
    const id = randomBytes(16).toString('hex');
    this.#entries.set(id, { session, usedAtEpochMs: this.#options.now() });
    this.#forget();
    return id;
  }

  /** Counts as a use. */
  get(id: string): Session | undefined {
    this.#forget();
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return undefined;
    }
    entry.usedAtEpochMs = this.#options.now();
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.session;
  }

  #forget(): void {
    const { idleMs, maxSessions, now } = this.#options;
    const tooOld = now() - idleMs;
    for (const [id, { usedAtEpochMs }] of this.#entries) {
      if (this.#entries.size <= maxSessions && usedAtEpochMs >= tooOld) {
        return;
      }
      this.#entries.delete(id);
    }
  }
}
