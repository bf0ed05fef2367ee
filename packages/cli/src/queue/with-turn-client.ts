import type { Config } from '@skillyard/contracts';
import { TurnClient } from '@skillyard/queue';
import type { Surroundings } from '../surroundings.ts';
import { withConnection } from './with-connection.ts';

/**
 * Does work with a client of the Redis that is meant, and closes the connection.
 * @param asked the address given with `--redis`
 * @throws SkillyardError REDIS_UNAVAILABLE or REDIS_UNSUITABLE
 */
export function withTurnClient<T>(
  surroundings: Surroundings,
  config: Config,
  asked: string | undefined,
  work: (client: TurnClient) => Promise<T>,
): Promise<T> {
  return withConnection(surroundings, config, asked, (connection) => work(new TurnClient(connection)));
}
