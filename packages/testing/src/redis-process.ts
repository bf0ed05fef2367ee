import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { redisArguments, type RedisServer } from './redis.ts';
import { until } from './until.ts';

/**
 * Starts a `redis-server` (or what REDIS_SERVER_BIN names) on a free port, with files of its own.
 * @throws Error if there is no such program, or it does not answer
 */
export async function startRedisProcess(appendOnly: boolean): Promise<RedisServer> {
  const binary = process.env['REDIS_SERVER_BIN'] ?? 'redis-server';
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-redis-'));
  const launch = (): Promise<ChildProcess> =>
    launched(
      binary,
      port,
      redisArguments({ port: String(port), bind: '127.0.0.1', dir: folder }, appendOnly),
    );
  let child = await launch().catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    // A paused process takes no other signal than these two.
    child.kill('SIGCONT');
    await gone;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    owned: true,
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGKILL');
      child = await launch();
    },
    pause: async () => void child.kill('SIGSTOP'),
    resume: async () => void child.kill('SIGCONT'),
    stop: async () => {
      await end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launched(binary: string, port: number, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(binary, [...args], { stdio: 'ignore' });
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', (error) => reject(new Error(`cannot run ${binary}: ${error.message}`)));
    child.once('exit', (code) => reject(new Error(`${binary} ended with ${code ?? 'a signal'}`)));
  });
  // Nobody listens to the later end of a server that did start.
  failed.catch(() => {});
  await Promise.race([until(() => answersPing(port), 10_000, `Redis on port ${port}`), failed]);
  return child;
}

async function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      resolve(data.toString('latin1').startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.setTimeout(1000, () => {
      resolve(false);
      socket.destroy();
    });
  });
}
