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

  async run(redis: Redis, call: ScriptCall): Promise<unknown> {
    try {
      return await redis.evalsha(this.#sha, call.keys.length, ...call.keys, ...call.args);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return redis.eval(this.#source, call.keys.length, ...call.keys, ...call.args);
    }
  }

  /** Several calls in one write. They may be of different slots, and they are not one transaction. */
  async runMany(redis: Redis, calls: readonly ScriptCall[]): Promise<unknown[]> {
    const [only] = calls;
    if (only === undefined) return [];
    if (calls.length === 1) return [await this.run(redis, only)];
    const pipeline = redis.pipeline();
    for (const call of calls) pipeline.evalsha(this.#sha, call.keys.length, ...call.keys, ...call.args);
    const replies = (await pipeline.exec()) ?? [];
    return Promise.all(
      calls.map(async (call, index) => {
        const [error, reply] = replies[index] ?? [new Error('the pipeline gave no reply'), null];
        if (error === null) return reply;
        if (!isUnknownScript(error)) throw error;
        return this.run(redis, call);
      }),
    );
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
