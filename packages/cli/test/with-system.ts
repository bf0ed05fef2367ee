import { connect, type QueueConnection } from '@skillyard/queue';
import { redisSystem } from '../src/system/redis-system.ts';
import type { RunningSystem } from '../src/system/running-system.ts';

/** Where a system of a test is: its Redis, and the prefix of its keys. */
export interface SystemPlace {
  readonly url: string;
  readonly prefix: string;
}

/** Does something with a system, as commands do, in this process: each command would be one of its own. */
export async function withSystem<Result>(
  place: SystemPlace,
  work: (system: RunningSystem, connection: QueueConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect({ ...place, whenAway: 'fail' });
  try {
    return await work(redisSystem(connection), connection);
  } finally {
    await connection.close();
  }
}
