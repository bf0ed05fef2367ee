import type { Config } from '@skillyard/contracts';

const DEFAULT_URL = 'redis://127.0.0.1:6379';

/** The Redis that is meant: what was asked for, then the configuration, then the environment, then this machine's. */
export function redisUrl(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
  asked?: string,
): string {
  return asked ?? config.redis?.url ?? (env['REDIS_URL'] || DEFAULT_URL);
}
