/**
 * Tells many watchers of new entries in the traces of their turns, over one connection.
 *
 * H1 A watcher reads its trace by itself, from its own position, and no faster than whoever it reads for: nothing is
 *    buffered for it. The hub only says that there is something new.
 * H2 A watcher that has read everything up to a position asks for news after that position: what comes between its
 *    reading and its asking is news.
 * H3 There is a connection as long as there are watchers.
 *
 * One XREAD waits for all traces together. It has to be sent anew when a trace is added, so that it is ended with CLIENT
 * UNBLOCK then; and since it costs as much as it has keys, it is sent the less often the more there are.
 */
import type { Redis } from 'ioredis';
import { BLOCK_MS, type QueueConnection } from '../connection.ts';

/** Entries of one trace that are passed over at once. */
const COUNT = 100;
/** Keys of a read that are worth a pause of a millisecond before the next one. */
const KEYS_PER_PAUSED_MS = 100;
/** Between two attempts to end a read that may not have reached Redis yet. */
const UNBLOCK_AGAIN_MS = 2;

/** A trace that somebody watches. */
interface WatchedTrace {
  /** The last entry that is known of. */
  last: string;
  readonly watchers: Set<Watcher>;
}

interface Watcher {
  hasNews: boolean;
  /** Why there will be no more news. */
  failure: { readonly error: unknown } | null;
  /** Ends its waiting; null while it does not wait. */
  wake: (() => void) | null;
}

/** News of one trace, for one watcher. */
export interface TraceNews {
  /**
   * Waits until something came since this was last called, the time is over, or the signal is aborted.
   * @returns whether something came
   * @throws whatever ended the connection
   */
  wait(timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean>;
  /** To be called when nobody watches any more. */
  close(): void;
}

export class TraceHub {
  readonly #connection: QueueConnection;
  readonly #traces = new Map<string, WatchedTrace>();
  #isReading = false;
  /** Of the connection that reads, as Redis numbers it; null while that is not known. */
  #clientId: number | null = null;
  /** The read that is under way; 0 between two of them. */
  #read = 0;
  #reads = 0;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  /** @param after the position up to which the watcher has read the trace (H2) */
  follow(trace: string, after: string): TraceNews {
    const watcher: Watcher = { hasNews: false, failure: null, wake: null };
    const known = this.#traces.get(trace);
    if (known === undefined) {
      this.#traces.set(trace, { last: after, watchers: new Set([watcher]) });
      void this.#readAnew();
    } else {
      known.watchers.add(watcher);
      watcher.hasNews = isBefore(after, known.last);
    }
    return {
      wait: (timeoutMs, signal) => waitFor(watcher, timeoutMs, signal),
      close: () => this.#leave(trace, watcher),
    };
  }

  #leave(trace: string, watcher: Watcher): void {
    const watched = this.#traces.get(trace);
    watched?.watchers.delete(watcher);
    if (watched?.watchers.size === 0) this.#traces.delete(trace);
    if (this.#traces.size === 0) void this.#readAnew();
  }

  /** Sees to it that the traces of now are read. */
  async #readAnew(): Promise<void> {
    if (!this.#isReading) {
      if (this.#traces.size > 0) void this.#readAll();
      return;
    }
    const stale = this.#read;
    if (stale === 0) return;
    for (;;) {
      const id = this.#clientId;
      // A read ends by itself after BLOCK_MS: that is what it costs when it cannot be ended.
      if (id === null) return;
      const ended = await this.#connection.redis.client('UNBLOCK', id).catch(() => 1);
      if (ended === 1) return;
      await new Promise((resolve) => setTimeout(resolve, UNBLOCK_AGAIN_MS));
      if (this.#read !== stale) return;
    }
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    const reader = this.#connection.open();
    reader.on('close', () => (this.#clientId = null));
    try {
      while (this.#traces.size > 0) {
        this.#clientId ??= await reader.client('ID');
        const size = await this.#readOnce(reader);
        const pauseMs = Math.floor(size / KEYS_PER_PAUSED_MS);
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    } catch (error) {
      this.#failAll(error);
    } finally {
      this.#isReading = false;
      this.#clientId = null;
      reader.disconnect();
    }
    // Somebody may have come while it stopped.
    if (this.#traces.size > 0) void this.#readAll();
  }

  /** @returns how many traces were read */
  async #readOnce(reader: Redis): Promise<number> {
    const names = [...this.#traces.keys()];
    const positions = [...this.#traces.values()].map(({ last }) => last);
    this.#read = ++this.#reads;
    const reply = await reader.xread('COUNT', COUNT, 'BLOCK', BLOCK_MS, 'STREAMS', ...names, ...positions);
    this.#read = 0;
    for (const [name, entries] of reply ?? []) {
      const watched = this.#traces.get(name);
      const last = entries.at(-1)?.[0];
      if (watched === undefined || last === undefined) continue;
      watched.last = last;
      for (const watcher of watched.watchers) tell(watcher);
    }
    return names.length;
  }

  /** Everybody who waits learns that the connection is gone. */
  #failAll(error: unknown): void {
    this.#read = 0;
    const watchers = [...this.#traces.values()].flatMap((one) => [...one.watchers]);
    this.#traces.clear();
    for (const watcher of watchers) {
      watcher.failure = { error };
      watcher.wake?.();
    }
  }
}

function tell(watcher: Watcher): void {
  watcher.hasNews = true;
  watcher.wake?.();
}

async function waitFor(
  watcher: Watcher,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!watcher.hasNews && watcher.failure === null && signal?.aborted !== true) {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        watcher.wake = null;
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal?.addEventListener('abort', wake, { once: true });
      watcher.wake = wake;
    });
  }
  if (watcher.failure !== null) throw watcher.failure.error;
  const { hasNews } = watcher;
  watcher.hasNews = false;
  return hasNews;
}

/** Compares ids of stream entries: milliseconds, a hyphen, a number. */
function isBefore(one: string, other: string): boolean {
  const [oneMs = 0, oneNumber = 0] = one.split('-').map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number);
  return oneMs < otherMs || (oneMs === otherMs && oneNumber < otherNumber);
}
