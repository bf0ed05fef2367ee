import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** A Redis for tests. */
export interface RedisServer {
  readonly url: string;
  /** false for a server named by REDIS_URL: it is not ours to kill, pause or restart. */
  readonly owned: boolean;
  /** SIGKILL: what is not in the append-only file is lost. */
  kill(): Promise<void>;
  /** Starts it again after {@link RedisServer.kill}, on the same port and with the same files. */
  restart(): Promise<void>;
  /** Stops it from running without closing a connection (SIGSTOP), and lets it go on. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export interface RedisOptions {
  /** Write every command to disk before it is answered, as production should. Default: nothing is written. */
  readonly appendOnly?: boolean;
  /** Never use REDIS_URL: the test is going to kill the server. */
  readonly owned?: boolean;
}

/**
 * Finds or starts a Redis: the address in REDIS_URL, else a local `redis-server` on a free port.
 * @returns undefined, with a loud line, when there is neither: the caller skips its tests
 * @throws Error when there is neither and the environment variable CI is set: there nothing may be skipped
 */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer | undefined> {
  const given = process.env['REDIS_URL'];
  if (given !== undefined && given !== '' && options.owned !== true) return external(given);
  const binary = process.env['REDIS_SERVER_BIN'] ?? 'redis-server';
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-redis-'));
  try {
    return await spawned(binary, port, folder, options.appendOnly === true);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    const line = `NO REDIS: set REDIS_URL or install redis-server (${reason})`;
    if (process.env['CI']) throw new Error(line, { cause: error });
    process.stderr.write(`\n!!! ${line}. Tests that need it are skipped.\n\n`);
    return undefined;
  }
}

function external(url: string): RedisServer {
  const refuse = (): never => {
    throw new Error('this Redis is named by REDIS_URL and not ours; start one with { owned: true }');
  };
  return {
    url,
    owned: false,
    kill: async () => refuse(),
    restart: async () => refuse(),
    pause: refuse,
    resume: refuse,
    stop: async () => {},
  };
}

async function spawned(
  binary: string,
  port: number,
  folder: string,
  appendOnly: boolean,
): Promise<RedisServer> {
  let child = await launch(binary, port, folder, appendOnly);
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
      child = await launch(binary, port, folder, appendOnly);
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: async () => {
      await end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(
  binary: string,
  port: number,
  folder: string,
  appendOnly: boolean,
): Promise<ChildProcess> {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: appendOnly ? 'yes' : 'no',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
    loglevel: 'warning',
  };
  const args = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]);
  const child = spawn(binary, args, { stdio: 'ignore' });
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
