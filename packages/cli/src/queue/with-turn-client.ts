import type { Config } from '@skillyard/contracts';
import { connect, TurnClient } from '@skillyard/queue';
import { redisUrl } from '@skillyard/runtime';
import type { Surroundings } from '../surroundings.ts';

/**
 * Does work with a client of the Redis that is meant, and closes it.
 * @param asked the address given with `--redis`
 * @throws SkillyardError REDIS_UNAVAILABLE or REDIS_UNSUITABLE
 */
export async function withTurnClient<T>(
  surroundings: Surroundings,
  config: Config,
  asked: string | undefined,
  work: (client: TurnClient) => Promise<T>,
): Promise<T> {
  const prefix = config.redis?.prefix;
  const connection = await connect({
    url: redisUrl(config, surroundings.env, asked),
    whenAway: 'fail',
    ...(prefix !== undefined && { prefix }),
  });
  const client = new TurnClient(connection);
  try {
    return await work(client);
  } finally {
    await client.close();
    await connection.close();
  }
}
