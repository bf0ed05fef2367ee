import type { Config } from '@skillyard/contracts';
import { connect, type QueueConnection } from '@skillyard/queue';
import { redisUrl } from '@skillyard/runtime';
import type { Surroundings } from '../surroundings.ts';

/**
 * Does work with the Redis that is meant, and closes the connection.
 * @param asked the address given with `--redis`
 * @throws SkillyardError REDIS_UNAVAILABLE or REDIS_UNSUITABLE
 */
export async function withConnection<T>(
  surroundings: Surroundings,
  config: Config,
  asked: string | undefined,
  work: (connection: QueueConnection) => Promise<T>,
): Promise<T> {
  const prefix = config.redis?.prefix;
  const connection = await connect({
    url: redisUrl(config, surroundings.env, asked),
    whenAway: 'fail',
    ...(prefix !== undefined && { prefix }),
  });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
