/**
 * The proof that a worker process is alive, for those who find a job that it has started (ADR 0008).
 *
 * H1  The key is renewed by a thread of its own: a process that is busy computing is alive, one that is stopped, killed
 *     or cut off from Redis is not.
 * H2  Nobody is declared dead by a process that was itself out of touch: it judges only when its own key has been there
 *     without a gap for as long as a key lives. So a Redis that was away, and has lost every key, proves nothing.
 * H3  A worker whose own key had no gap since it claimed a job still holds the claim, and need not ask.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Worker as Thread } from 'node:worker_threads';
import type { RedisOptions } from 'ioredis';
import type { QueueConnection } from '../connection.ts';
import { HEARTBEAT_THREAD } from './heartbeat-thread.ts';

export interface HeartbeatOptions {
  readonly connection: QueueConnection;
  /** A worker that was not heard of for this long is dead. */
  readonly ttlMs?: number;
  /** Told when a beat does not get through. */
  readonly onError?: (error: Error) => void;
}

/** A state of a heartbeat, to be compared with a later one. */
export type HeartbeatMark = bigint;

const HEARTBEAT_TTL_MS = 5000;
/** Beats in the life of a key: two may be lost. */
const BEATS_PER_TTL = 0.3;
/** Taken off the life of a key where the two ends of a connection may not agree on it. */
const MARGIN = 0.9;

const GAPS = 0;
const RENEWED = 1;
const SINCE = 2;

/** Starts the heartbeat of this process, and waits for the first beat. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const heartbeat = new Heartbeat(options);
  await heartbeat.start();
  return heartbeat;
}

export class Heartbeat {
  /** The name of the worker: of this process, and of no other before or after it. */
  readonly worker = `${hostname()}.${process.pid}.${randomUUID().slice(0, 8)}`;
  readonly ttlMs: number;
  readonly everyMs: number;
  readonly #options: HeartbeatOptions;
  readonly #shared = new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT);
  readonly #beats = new BigInt64Array(this.#shared);
  #thread: Thread | undefined;
  #closed = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.ttlMs = Math.round(options.ttlMs ?? HEARTBEAT_TTL_MS);
    this.everyMs = Math.round(this.ttlMs * BEATS_PER_TTL);
  }

  async start(): Promise<void> {
    const { redis } = this.#options.connection;
    // Whoever closes the connection without a word is as good as dead, and must look it.
    redis.once('end', () => void this.#stop());
    await new Promise<void>((resolve) => this.#spawn(resolve));
  }

  #spawn(onBeat: () => void): void {
    const { connection, onError } = this.#options;
    const thread = new Thread(HEARTBEAT_THREAD, {
      eval: true,
      // None of what this process was started with (loaders, inspectors) concerns the thread.
      execArgv: [],
      workerData: {
        from: import.meta.url,
        key: connection.keys.worker(this.worker),
        ttlMs: this.ttlMs,
        everyMs: this.everyMs,
        redisOptions: addressOf(connection.redis.options),
        shared: this.#shared,
      },
    });
    thread.unref();
    thread.on('message', (message: 'beat' | { failed: string }) => {
      if (message === 'beat') onBeat();
      else onError?.(new Error(`heartbeat: ${message.failed}`));
    });
    thread.on('error', (error: Error) => onError?.(error));
    thread.once('exit', () => {
      if (this.#closed) return;
      // Without its heartbeat this process would lose its jobs.
      this.#spawn(onBeat);
    });
    this.#thread = thread;
  }

  /** To be taken before a claim. */
  mark(): HeartbeatMark {
    return this.#read(GAPS);
  }

  /** Whether nobody can have seen this worker dead since the mark was taken (H3). */
  isUnbroken(since: HeartbeatMark): boolean {
    return this.#read(GAPS) === since && this.#isThere();
  }

  /** Whether this process may judge others (H2). */
  isSteady(): boolean {
    return this.#isThere() && Date.now() - Number(this.#read(SINCE)) >= this.ttlMs;
  }

  /** Whether a worker is dead. No answer counts as alive. */
  async provesDead(worker: string): Promise<boolean> {
    if (!this.isSteady()) return false;
    const { redis, keys } = this.#options.connection;
    const isThere = await redis.exists(keys.worker(worker));
    // Asked again: what was read may have waited long for a connection.
    return isThere === 0 && this.isSteady();
  }

  /** Ends it, and says so: what this worker has not finished need not wait. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined || this.#closed) return;
    this.#closed = true;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage('stop', []);
    const timer = setTimeout(() => void thread.terminate(), this.everyMs);
    await ended;
    clearTimeout(timer);
  }

  async #stop(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#thread?.terminate();
  }

  #isThere(): boolean {
    const renewedAgoMs = Date.now() - Number(this.#read(RENEWED));
    return !this.#closed && renewedAgoMs >= 0 && renewedAgoMs < this.ttlMs * MARGIN;
  }

  #read(index: number): bigint {
    return Atomics.load(this.#beats, index);
  }
}

/** The options of a connection that say where it leads. The others hold functions, which no thread can be given. */
function addressOf(options: RedisOptions): RedisOptions {
  const { host, port, path, family, db, username, password, tls } = options;
  return structuredClone({ host, port, path, family, db, username, password, tls }) as RedisOptions;
}
