import type { QueueConnection } from '../connection.ts';
import { LuaScript } from '../scripts/lua-script.ts';

/** What became of a request. */
export interface RateReply {
  readonly ok: boolean;
  /** When the next one may come; 0 for one that may. */
  readonly retryAfterMs: number;
}

const MINUTE_MS = 60_000;

/**
 * A bucket that holds the requests of a minute and is filled steadily. All that is kept is the time at which it is full
 * again. By the clock of Redis: those of the orchestrators may differ.
 *
 * KEYS 1 the time (ms)
 * ARGV 1 requests per minute
 * Returns 0 for a request that may be made, else the ms until one may
 */
const TAKE = new LuaScript(`
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now)
local after = full + ${MINUTE_MS} / ARGV[1]
local wait = after - now - ${MINUTE_MS}
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.3f', after), 'PX', math.ceil(after - now))
return 0
`);

/** How many requests each tenant makes, counted by all orchestrators together. */
export class RequestRates {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  /**
   * Counts a request of a tenant; one that is refused is not counted.
   * @param perMinute the requests that may come at once after a quiet minute, and in the long run in every minute
   */
  async take(tenant: string, perMinute: number): Promise<RateReply> {
    const { redis, keys } = this.#connection;
    const reply = await TAKE.run(redis, { keys: [keys.requests(tenant)], args: [perMinute] });
    const retryAfterMs = Number(reply);
    return { ok: retryAfterMs === 0, retryAfterMs };
  }
}
