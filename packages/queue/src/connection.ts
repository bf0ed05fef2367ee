import { type ErrorDetails, SkillyardError } from '@skillyard/contracts';
import type { Redis } from 'ioredis';
import { BatchingRedis } from './batching-redis.ts';
import { Keys } from './keys.ts';
import { redactUrl } from './redact-url.ts';

export interface ConnectOptions {
  readonly url: string;
  readonly prefix?: string;
  /**
   * What to do while Redis is away, after the first connection. `wait`: commands wait, as services and workers should.
   * `fail`: commands fail after a few seconds, as a command line should. Default: `wait`.
   */
  readonly whenAway?: 'wait' | 'fail';
  /** Told of connection errors after the first connection. */
  readonly onError?: (error: Error) => void;
}

/** How long the first connection may take. */
const CONNECT_TIMEOUT_MS = 5000;
/**
 * A connection on which an answer is awaited and nothing comes for this long is closed and opened anew. Without it a
 * half-open connection stops a worker for good (measured 30 Nov 2026: 90 s without a job). A little more than the longest
 * blocking read there is: BullMQ waits up to 10 s when a delayed ticket is due later.
 */
const SOCKET_TIMEOUT_MS = 11_000;
/** How long a command may take of whoever does not wait for Redis: longer than the longest blocking read of our own. */
const COMMAND_TIMEOUT_MS = 5000;
/** The longest blocking read of our own. */
export const BLOCK_MS = 3000;

/**
 * The way to one Redis. Holds one connection for commands; blocking readers and subscribers open their own, and all of
 * them are closed here.
 */
export class QueueConnection {
  readonly keys: Keys;
  /** Where it leads, fit to be shown. */
  readonly address: string;
  /** What an operator should know of this Redis, as sentences. */
  readonly warnings: readonly string[];
  /** For this package only. */
  readonly redis: BatchingRedis;
  readonly #opened = new Set<Redis>();
  readonly #onError: (error: Error) => void;

  constructor(
    redis: BatchingRedis,
    keys: Keys,
    facts: { address: string; warnings: string[] },
    onError: (error: Error) => void,
  ) {
    this.redis = redis;
    this.keys = keys;
    this.address = facts.address;
    this.warnings = facts.warnings;
    this.#onError = onError;
  }

  /** A further connection of the same kind, for blocking reads and subscriptions. BullMQ opens and closes its own. */
  open(): Redis {
    const redis = this.redis.another({ maxRetriesPerRequest: null, lazyConnect: false });
    redis.on('error', this.#onError);
    this.#opened.add(redis);
    redis.once('end', () => this.#opened.delete(redis));
    return redis;
  }

  /** Fails when Redis does not answer. */
  async ping(): Promise<void> {
    await this.redis.ping();
  }

  async close(): Promise<void> {
    for (const redis of this.#opened) redis.disconnect();
    this.redis.disconnect();
  }
}

/**
 * Connects to Redis and looks whether it is fit to hold turns.
 * @throws SkillyardError REDIS_UNAVAILABLE if it cannot be reached
 * @throws SkillyardError REDIS_UNSUITABLE if it is too old, or may evict keys
 */
export async function connect(options: ConnectOptions): Promise<QueueConnection> {
  const address = redactUrl(options.url);
  const onError = options.onError ?? (() => {});
  let connected = false;
  const redis = new BatchingRedis(options.url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    ...(options.whenAway === 'fail'
      ? { maxRetriesPerRequest: 3, commandTimeout: COMMAND_TIMEOUT_MS }
      : { maxRetriesPerRequest: null }),
    retryStrategy: (times) => (connected ? Math.min(100 * 2 ** Math.min(times, 5), 2000) : null),
  });
  let lastError: Error | undefined;
  redis.on('error', (error: Error) => {
    lastError = error;
    if (connected) onError(error);
  });
  try {
    await redis.connect();
    const warnings = await inspect(redis, address);
    connected = true;
    return new QueueConnection(redis, new Keys(options.prefix), { address, warnings }, onError);
  } catch (error) {
    redis.disconnect();
    if (SkillyardError.is(error)) throw error;
    throw unavailable(address, lastError ?? error);
  }
}

function unavailable(address: string, cause: unknown): SkillyardError {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  const message =
    `Redis at ${address} cannot be reached: ${reason}. ` +
    'Start it (redis-server), or say where it is: redis.url in skillyard.yaml, or REDIS_URL.';
  return new SkillyardError('REDIS_UNAVAILABLE', message, { details: { address }, cause });
}

async function inspect(redis: Redis, address: string): Promise<string[]> {
  const info = readInfo(await redis.info());
  const version = info.get('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 6 || (major === 6 && minor < 2)) {
    throw unsuitable(`Redis at ${address} is version ${version}; 6.2 or later is needed.`, {
      address,
      version,
    });
  }
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction' && Number(info.get('maxmemory') ?? 0) > 0) {
    const message =
      `Redis at ${address} throws keys away when its memory is full (maxmemory-policy ${policy}), and turns with them. ` +
      'Set maxmemory-policy noeviction.';
    throw unsuitable(message, { address, policy });
  }
  if (info.get('aof_enabled') === '1') return [];
  return [
    `Redis at ${address} has no append-only file (appendonly no): turns under way are lost when it restarts.`,
  ];
}

function unsuitable(message: string, details: ErrorDetails): SkillyardError {
  return new SkillyardError('REDIS_UNSUITABLE', message, { details });
}

function readInfo(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}
