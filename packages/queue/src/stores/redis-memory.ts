import { createHash } from 'node:crypto';
import {
  DEFAULT_MEMORY_BYTES,
  memoryFull,
  type MemoryValue,
  type TurnId,
  type WorkingMemory,
} from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { KEEP_WITHIN } from '../scripts/keep-script.ts';

/** Turns whose root is remembered: it never changes, and every read needs it. */
const REMEMBERED = 10_000;
/** Where the bytes of all values of a turn are counted, among the values. No handle looks like this. */
const HELD_BYTES = '#bytes';

/**
 * Working memory on Redis. The turns of one chain of delegations share that of the first, since they pass handles to
 * each other: a delegate's task and its answer may hold one.
 */
export class RedisMemory implements WorkingMemory {
  readonly #connection: QueueConnection;
  readonly #maxBytes: number;
  readonly #roots = new Map<TurnId, TurnId>();

  /** @param maxBytes of the values of one turn, with those of the turns it delegates to */
  constructor(connection: QueueConnection, maxBytes = DEFAULT_MEMORY_BYTES) {
    this.#connection = connection;
    this.#maxBytes = maxBytes;
  }

  async put(turnId: TurnId, key: string, text: string): Promise<string> {
    const handle = handleOf(key);
    const { meta, memory } = this.#connection.keys.turn(await this.#rootOf(turnId));
    const { redis } = this.#connection;
    const maxBytes = this.#maxBytes;
    const addedBytes = Buffer.byteLength(text, 'utf8');
    // What can never fit is not sent: Redis would hang up on a value that is larger than it takes.
    const reply =
      addedBytes > maxBytes
        ? await redis.hget(memory, HELD_BYTES)
        : await KEEP_WITHIN.run(redis, { keys: [meta, memory], args: [handle, text, HELD_BYTES, maxBytes] });
    const heldBytes = Number(reply);
    if (heldBytes >= 0) throw memoryFull({ heldBytes, addedBytes, maxBytes });
    return handle;
  }

  async get(turnId: TurnId, handle: string): Promise<MemoryValue> {
    if (handle === HELD_BYTES) return { found: false };
    const root = await this.#rootOf(turnId);
    const text = await this.#connection.redis.hget(this.#connection.keys.turn(root).memory, handle);
    return text === null ? { found: false } : { found: true, text };
  }

  async #rootOf(turnId: TurnId): Promise<TurnId> {
    const known = this.#roots.get(turnId);
    if (known !== undefined) return known;
    const root = await this.#connection.redis.hget(this.#connection.keys.turn(turnId).meta, 'root');
    const found = (root ?? turnId) as TurnId;
    if (this.#roots.size >= REMEMBERED) this.#roots.clear();
    this.#roots.set(turnId, found);
    return found;
  }
}

/** The handle of the value of a job: always the same, short enough for a prompt, not to be guessed. */
function handleOf(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex');
  return `m-${hash.slice(0, 16)}`;
}
