import { SkillyardError, type ToolEffect } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';

/** What a tool server offers, as a worker that is connected to it saw it. */
export interface PublishedTools<Tool> {
  readonly tools: readonly Tool[];
  /** What a repeat of a call may do, per tool. */
  readonly effects: Readonly<Record<string, ToolEffect>>;
}

/** A server that no worker has looked at for this long is forgotten. Workers look again every few minutes. */
const TTL_SECONDS = 24 * 60 * 60;
/** How long what was read is believed. */
const FRESH_MS = 15_000;

/**
 * The tools of every server, published by the workers that are connected to it. So a model worker can tell a model of a
 * tool without a connection to its server, which only workers of its class may have.
 * A tool is anything that is the same after JSON.
 */
export class RedisToolCatalog<Tool> {
  readonly #connection: QueueConnection;
  readonly #read = new Map<string, { readonly value: PublishedTools<Tool>; readonly atMs: number }>();

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  async publish(server: string, published: PublishedTools<Tool>): Promise<void> {
    const key = this.#connection.keys.tools(server);
    await this.#connection.redis.set(key, JSON.stringify(published), 'EX', TTL_SECONDS);
  }

  /** What is known of a server; null when no worker has looked yet. */
  async find(server: string): Promise<PublishedTools<Tool> | null> {
    const known = this.#read.get(server);
    if (known !== undefined && Date.now() - known.atMs < FRESH_MS) return known.value;
    const json = await this.#connection.redis.get(this.#connection.keys.tools(server));
    if (json === null) return null;
    const value = JSON.parse(json) as PublishedTools<Tool>;
    this.#read.set(server, { value, atMs: Date.now() });
    return value;
  }

  /**
   * The tools of these servers, in this order.
   * @throws SkillyardError SERVER_UNAVAILABLE when no worker has looked at one of them yet: try again
   */
  async describeTools(servers: readonly string[]): Promise<Tool[]> {
    const lists = await Promise.all(
      servers.map(async (server) => {
        const published = await this.find(server);
        if (published === null) throw unknown(server);
        return published.tools;
      }),
    );
    return lists.flat();
  }
}

function unknown(server: string): SkillyardError {
  const message = `The tools of "${server}" are not known yet: no worker of its class has connected to it. Is one running?`;
  return new SkillyardError('SERVER_UNAVAILABLE', message, { details: { server } });
}
