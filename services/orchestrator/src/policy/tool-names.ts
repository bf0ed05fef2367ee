import type { RedisToolCatalog } from '@skillyard/queue';

/** What was read longer ago is not relied upon: a tool may have gone since. */
const BELIEVED_MS = 5 * 60_000;

/** The names of the tools of some servers, as the workers that are connected to them publish them. */
export class ToolNames {
  readonly #catalog: Pick<RedisToolCatalog<{ readonly tool: string }>, 'find'>;
  readonly #servers: readonly string[];
  readonly #now: () => number;
  readonly #names = new Map<string, { readonly tools: readonly string[]; readonly atMs: number }>();

  constructor(
    catalog: Pick<RedisToolCatalog<{ readonly tool: string }>, 'find'>,
    servers: readonly string[],
    now: () => number,
  ) {
    this.#catalog = catalog;
    this.#servers = servers;
    this.#now = now;
  }

  /** Reads them again, unless that was a moment ago. */
  async refresh(): Promise<void> {
    await Promise.all(
      this.#servers.map(async (server) => {
        const published = await this.#catalog.find(server);
        if (published === null) this.#names.delete(server);
        else this.#names.set(server, { tools: published.tools.map(({ tool }) => tool), atMs: this.#now() });
      }),
    );
  }

  /** null where nobody knows them. */
  of(server: string): readonly string[] | null {
    const known = this.#names.get(server);
    return known !== undefined && this.#now() - known.atMs < BELIEVED_MS ? known.tools : null;
  }
}
