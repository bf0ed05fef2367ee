import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@skillyard/queue';

/** A Redis that lives as long as the command that started it. */
export interface OwnRedis {
  readonly url: string;
  close(): Promise<void>;
}

/** Where a Redis is looked for when nobody says where it is. */
const PORT = 6379;
/** How long it may take until it answers. */
const START_MS = 5000;
const LOOK_EVERY_MS = 50;

/**
 * Starts a Redis of our own, to try things out where there is none. What it holds is gone with it. It listens where
 * every command looks for one.
 * @returns null when there is no `redis-server` on the path, or it does not start
 */
export async function startOwnRedis(): Promise<OwnRedis | null> {
  const folder = await mkdtemp(join(tmpdir(), 'skillyard-redis-'));
  const limits = ['--maxmemory-policy', 'noeviction', '--appendonly', 'yes', '--save', ''];
  const place = ['--bind', '127.0.0.1', '--port', String(PORT), '--dir', folder];
  // A process group of its own: Ctrl-C must not take it away from those who finish their work.
  const server = spawn('redis-server', [...place, ...limits], { stdio: 'ignore', detached: true });
  const ended = once(server, 'close').catch(() => undefined);
  const close = async (): Promise<void> => {
    server.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `redis://127.0.0.1:${PORT}`;
  const isUp = await Promise.race([answers(url), ended.then(() => false)]);
  if (isUp) return { url, close };
  await close();
  return null;
}

async function answers(url: string): Promise<boolean> {
  const deadlineMs = Date.now() + START_MS;
  while (Date.now() < deadlineMs) {
    try {
      const connection = await connect({ url, whenAway: 'fail' });
      await connection.close();
      return true;
    } catch {
      await sleep(LOOK_EVERY_MS);
    }
  }
  return false;
}
