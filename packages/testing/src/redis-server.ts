import type { RedisServer } from './redis.ts';
import { startRedisContainer } from './redis-container.ts';
import { startRedisProcess } from './redis-process.ts';

export interface RedisOptions {
  /** Write every command to disk before it is answered, as production should. Default: nothing is written. */
  readonly appendOnly?: boolean;
  /** Never use REDIS_URL: the test is going to kill the server. */
  readonly owned?: boolean;
}

/** How to start one, the quickest first. */
const WAYS: readonly ((appendOnly: boolean) => Promise<RedisServer>)[] = [
  startRedisProcess,
  startRedisContainer,
];

/**
 * Finds or starts a Redis: the address in REDIS_URL, else a local `redis-server` on a free port, else a container.
 * @returns undefined, with a loud line, when there is none of them: the caller skips its tests
 * @throws Error when there is none and the environment variable CI is set: there nothing may be skipped
 */
export async function startRedis(options: RedisOptions = {}, ways = WAYS): Promise<RedisServer | undefined> {
  const given = process.env['REDIS_URL'];
  if (given !== undefined && given !== '' && options.owned !== true) return external(given);
  const appendOnly = options.appendOnly === true;
  const reasons: string[] = [];
  for (const start of ways) {
    try {
      return await start(appendOnly);
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  const line = `NO REDIS: set REDIS_URL, install redis-server, or start Docker (${reasons.join('; ')})`;
  if (process.env['CI']) throw new Error(line);
  process.stderr.write(`\n!!! ${line}. Tests that need it are skipped.\n\n`);
  return undefined;
}

function external(url: string): RedisServer {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new Error('this Redis is named by REDIS_URL and not ours; start one with { owned: true }'),
    );
  return {
    url,
    owned: false,
    kill: refuse,
    restart: refuse,
    pause: refuse,
    resume: refuse,
    stop: async () => {},
  };
}
