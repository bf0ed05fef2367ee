/** A Redis for tests. */
export interface RedisServer {
  readonly url: string;
  /** false for a server named by REDIS_URL: it is not ours to kill, pause or restart. */
  readonly owned: boolean;
  /** SIGKILL: what is not in the append-only file is lost. */
  kill(): Promise<void>;
  /** Starts it again after {@link RedisServer.kill}, on the same port and with the same files. */
  restart(): Promise<void>;
  /** Stops it from running without closing a connection, and lets it go on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** How a Redis of a test is started: nothing is evicted, and it says nothing. */
export function redisArguments(settings: Readonly<Record<string, string>>, appendOnly: boolean): string[] {
  const all = {
    save: '',
    appendonly: appendOnly ? 'yes' : 'no',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
    loglevel: 'warning',
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
}
