import { freePort } from './free-port.ts';
import { redisArguments, type RedisServer } from './redis.ts';

const IMAGE = 'redis:7.4-alpine';
const PORT = 6379;

/**
 * Starts Redis in a container, on a port that it keeps when it is started again.
 * @throws Error if there is no Docker here
 */
export async function startRedisContainer(appendOnly: boolean): Promise<RedisServer> {
  // Needed where there is no redis-server only, and slow to load.
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  const port = await freePort();
  const started = await new GenericContainer(IMAGE)
    .withCommand(['redis-server', ...redisArguments({ dir: '/data' }, appendOnly)])
    .withExposedPorts({ container: PORT, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const { container: docker } = await getContainerRuntimeClient();
  const container = docker.getById(started.getId());
  const kill = async (): Promise<void> => {
    await container.kill({ signal: 'SIGKILL' });
    await container.wait();
  };
  return {
    url: `redis://${started.getHost()}:${port}`,
    owned: true,
    kill,
    restart: async () => {
      if ((await container.inspect()).State.Running) await kill();
      await container.start();
    },
    pause: async () => void (await container.pause()),
    resume: async () => void (await container.unpause()),
    stop: async () => {
      await started.stop({ timeout: 0 });
    },
  };
}
