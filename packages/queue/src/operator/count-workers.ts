import type { QueueConnection } from '../connection.ts';

/** How many workers are connected to each of several queues. */
export async function countWorkers(
  { redis, keys }: QueueConnection,
  queues: readonly string[],
): Promise<number[]> {
  const clients = (await redis.client('LIST')) as string;
  const names = clients.split('\n').flatMap((line) => / name=(\S+)/.exec(line)?.[1] ?? []);
  return queues.map((queue) => {
    const worker = `${keys.queuePrefix(queue)}:${Buffer.from(queue).toString('base64')}`;
    return names.filter((name) => name === worker || name.startsWith(`${worker}:w:`)).length;
  });
}
