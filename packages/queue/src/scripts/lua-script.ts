import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** One call of a script: its keys, all of one hash slot, and its arguments. */
export interface ScriptCall {
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/**
 * A Lua script, called by its hash. A server that does not know it (new, restarted or flushed) is sent the source.
 */
export class LuaScript {
  readonly #source: string;
  readonly #sha: string;

  constructor(source: string) {
    this.#source = source;
    this.#sha = createHash('sha1').update(source).digest('hex');
  }

  /** Makes a server know it, so that no first call comes later than it is sent. */
  async load(redis: Redis): Promise<void> {
    await redis.script('LOAD', this.#source);
  }

  async run(redis: Redis, call: ScriptCall): Promise<unknown> {
    try {
      return await redis.evalsha(this.#sha, call.keys.length, ...call.keys, ...call.args);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return redis.eval(this.#source, call.keys.length, ...call.keys, ...call.args);
    }
  }

  /**
   * Several calls side by side. They may be of different slots, and they are not one transaction: when one fails, the
   * others are done all the same, before the failure is thrown.
   */
  async runMany(redis: Redis, calls: readonly ScriptCall[]): Promise<unknown[]> {
    const replies = await Promise.allSettled(calls.map((call) => this.run(redis, call)));
    return replies.map((reply) => {
      if (reply.status === 'rejected') throw reply.reason;
      return reply.value;
    });
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
