import { createHash } from 'node:crypto';
import type { MemoryValue, TurnId, WorkingMemory } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { KEEP } from '../scripts/keep-script.ts';

/** Turns whose root is remembered: it never changes, and every read needs it. */
const REMEMBERED = 10_000;

/**
 * Working memory on Redis. The turns of one chain of delegations share that of the first, since they pass handles to
 * each other: a delegate's task and its answer may hold one.
 */
export class RedisMemory implements WorkingMemory {
  readonly #connection: QueueConnection;
  readonly #roots = new Map<TurnId, TurnId>();

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  async put(turnId: TurnId, key: string, text: string): Promise<string> {
    const handle = handleOf(key);
    const keys = this.#connection.keys.turn(await this.#rootOf(turnId));
    await KEEP.run(this.#connection.redis, { keys: [keys.meta, keys.memory], args: [handle, text] });
    return handle;
  }

  async get(turnId: TurnId, handle: string): Promise<MemoryValue> {
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
