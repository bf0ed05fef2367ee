import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@skillyard/testing';
import { Redis } from 'ioredis';

/** When Redis writes its append-only file to disk: once a second, or before it answers a command. */
export type Fsync = 'everysec' | 'always';

/** A Redis of a benchmark's own, on a free port. */
export interface BenchRedis {
  readonly url: string;
  /** Microseconds of CPU it has used since it was started. */
  cpuUs(): Promise<number>;
  /** Bytes it has in use now, and at most so far. */
  memory(): Promise<{ readonly usedBytes: number; readonly peakBytes: number }>;
  /** A connection that ends with the server. */
  readonly redis: Redis;
  stop(): Promise<void>;
}

/** Starts a Redis as production should have it: every command in an append-only file, no key ever thrown away. */
export async function startBenchRedis(fsync: Fsync): Promise<BenchRedis> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-bench-'));
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: fsync,
    'maxmemory-policy': 'noeviction',
    loglevel: 'warning',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn(process.env['REDIS_SERVER_BIN'] ?? 'redis-server', args, { stdio: 'ignore' });
  const kill = (): void => void server.kill('SIGKILL');
  // A benchmark that fails must not leave it behind.
  process.once('exit', kill);
  const redis = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: 100, retryStrategy: () => 50 });
  // It is not up at once; a command that never gets through says so itself.
  redis.on('error', () => {});
  await redis.ping();
  const info = async (section: string, field: string): Promise<number> =>
    Number(new RegExp(`^${field}:([\\d.]+)`, 'm').exec(await redis.info(section))?.[1]);
  return {
    url: `redis://127.0.0.1:${port}`,
    redis,
    cpuUs: async () => 1e6 * ((await info('cpu', 'used_cpu_user')) + (await info('cpu', 'used_cpu_sys'))),
    memory: async () => ({
      usedBytes: await info('memory', 'used_memory'),
      peakBytes: await info('memory', 'used_memory_peak'),
    }),
    stop: async () => {
      redis.disconnect();
      process.off('exit', kill);
      const gone = new Promise((resolve) => server.once('exit', resolve));
      kill();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
