/**
 * Who runs the turns of a shard: a lease per shard, shared out evenly among the orchestrators that live.
 *
 * A tenure begins with TAKE and ends in one of two ways. Given up (another orchestrator should have the shard, or we
 * stop): the batch under way is finished first, then the lease is released and the others are told. Lost (it could not
 * be renewed in time): it is over at once, and nothing is waited for.
 *
 * L1  A lease ends here before it ends in Redis: it is counted from before the renewal was sent, on a clock that nobody
 *     sets, and a margin earlier. So at most one orchestrator believes that it holds a shard.
 * L2  The epoch of a shard grows with every tenure, in the script that takes the lease.
 * L3  A lease that is given up is released only when the owner has put the shard down: what it read of it is committed
 *     and acknowledged, or will be read again.
 * L4  The shares add up to the number of shards. Nobody takes more than its share, and who has more gives it up.
 * L5  A lease saves work, it does not keep turns safe: a process may be stopped between looking at its lease and
 *     writing, for any time. What keeps them safe is the commit, which checks version and epoch (Q1).
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { QueueConnection } from '../connection.ts';
import { fairShare } from './fair-share.ts';
import { RELEASE_LEASE, RENEW, SIGN_IN, TAKE } from './lease-scripts.ts';

/** How long a lease lasts, and how often it is renewed. The first bounds a takeover. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewMs: number;
}

/** Two renewals may fail, and a dead owner is replaced well within 10 s. */
export const LEASE_TIMES: LeaseTimes = { leaseMs: 6000, renewMs: 2000 };

export interface ShardLeasesOptions {
  readonly connection: QueueConnection;
  readonly times?: LeaseTimes;
  onGained(shard: number, epoch: number): void;
  /**
   * A shard is no longer ours. `given up`: the lease is kept until the promise resolves. `lost`: nobody waits, and
   * somebody else may have it already.
   */
  onLost(shard: number, how: 'given up' | 'lost'): void | Promise<void>;
  onError(error: Error): void;
}

interface Tenure {
  readonly shard: number;
  readonly epoch: number;
  /** On the monotonic clock. */
  endsAtMs: number;
  leaving: boolean;
}

/** The least time between two rounds: what a round waits for is over when the next one looks. */
const SHORTEST_PAUSE_MS = 10;

export class ShardLeases {
  /** The name of this owner; no other has it, in any process. */
  readonly owner = `${hostname()}.${process.pid}.${randomUUID().slice(0, 8)}`;
  readonly #options: ShardLeasesOptions;
  readonly #times: LeaseTimes;
  readonly #held = new Map<number, Tenure>();
  readonly #givingUp = new Set<Promise<void>>();
  #subscriber: Redis | undefined;
  #round: Promise<void> | undefined;
  #roundWanted = false;
  #timer: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;
  #closing = false;
  #closed = false;

  constructor(options: ShardLeasesOptions) {
    this.#options = options;
    this.#times = options.times ?? LEASE_TIMES;
  }

  /** Takes what is free of our share, and from now on keeps the share. */
  async start(): Promise<void> {
    const { connection } = this.#options;
    this.#subscriber = connection.open();
    this.#subscriber.on('message', () => this.#wantRound());
    await this.#subscriber.subscribe(connection.keys.leases);
    this.#wantRound();
    await this.#round;
  }

  /** The epoch under which a shard is ours; null when it is not. */
  epochOf(shard: number): number | null {
    const tenure = this.#held.get(shard);
    return tenure === undefined || performance.now() >= tenure.endsAtMs ? null : tenure.epoch;
  }

  /** The shards that are ours, in order. */
  get shards(): number[] {
    return [...this.#held.keys()].filter((shard) => this.epochOf(shard) !== null).toSorted((a, b) => a - b);
  }

  /** How long all leases last even if none is renewed again. */
  remainingMs(): number {
    const ends = [...this.#held.values()].map(({ endsAtMs }) => endsAtMs);
    return ends.length === 0 ? this.#times.leaseMs : Math.max(0, Math.min(...ends) - performance.now());
  }

  /**
   * Gives up everything, so that others can go on at once. While Redis is away it waits no longer than the leases last:
   * then they are lost, and nobody has to be told.
   */
  async close(): Promise<void> {
    this.#closing = true;
    const { connection } = this.#options;
    const goodbye = async (): Promise<void> => {
      await this.#round;
      await connection.redis.zrem(connection.keys.orchestrators, this.owner);
      this.#giveUp([...this.#held.values()]);
      await Promise.all(this.#givingUp);
    };
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#times.leaseMs);
    });
    await Promise.race([goodbye().catch((error: unknown) => this.#complain(error)), patience]);
    clearTimeout(timer);
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#endTimer);
    for (const tenure of this.#held.values()) this.#lose(tenure);
    this.#subscriber?.disconnect();
  }

  /** A round is run as soon as none is under way. */
  #wantRound(): void {
    if (this.#closed) return;
    if (this.#round === undefined) void this.#runRound();
    else this.#roundWanted = true;
  }

  async #runRound(): Promise<void> {
    clearTimeout(this.#timer);
    this.#roundWanted = false;
    const round = this.#tryRound();
    this.#round = round.then(() => {});
    const pauseMs = await round;
    this.#round = undefined;
    if (this.#closed) return;
    if (this.#roundWanted) void this.#runRound();
    else this.#timer = setTimeout(() => this.#wantRound(), Math.max(pauseMs, SHORTEST_PAUSE_MS));
  }

  /** @returns when the next round is due */
  async #tryRound(): Promise<number> {
    const { renewMs } = this.#times;
    try {
      const [others] = await Promise.all([this.#signIn(), this.#renew()]);
      if (this.#closing) return renewMs;
      const { keys } = this.#options.connection;
      const share = fairShare(keys.shards, others.names, this.owner);
      const staying = [...this.#held.values()].filter((tenure) => !tenure.leaving);
      this.#giveUp(staying.slice(share));
      const firstEndMs = await this.#take(share - staying.length, others.names);
      const nextMs = [renewMs, others.firstEndMs, firstEndMs].filter((ms) => ms >= 0);
      return Math.min(...nextMs) + 1;
    } catch (error) {
      this.#complain(error);
      return renewMs / 4;
    }
  }

  async #signIn(): Promise<{ names: string[]; firstEndMs: number }> {
    if (this.#closing) return { names: [], firstEndMs: -1 };
    const { redis, keys } = this.#options.connection;
    const call = { keys: [keys.orchestrators], args: [this.owner, this.#times.leaseMs] };
    const [firstEndMs, added, ...names] = (await SIGN_IN.run(redis, call)) as [number, number, ...string[]];
    // The others have to make room.
    if (added === 1) await redis.publish(keys.leases, this.owner);
    return { names, firstEndMs };
  }

  async #renew(): Promise<void> {
    const { connection } = this.#options;
    const tenures = [...this.#held.values()];
    const sentAtMs = performance.now();
    const calls = tenures.map(({ shard }) => ({
      keys: [connection.keys.shard(shard).lease],
      args: [this.owner, this.#times.leaseMs],
    }));
    const replies = await RENEW.runMany(connection.redis, calls);
    for (const [index, tenure] of tenures.entries()) {
      // Given up, or lost and taken again, while the question was under way.
      if (this.#held.get(tenure.shard) !== tenure) continue;
      if (replies[index] === 1) tenure.endsAtMs = this.#endOfLease(sentAtMs);
      else this.#lose(tenure);
    }
    this.#watchEnds();
  }

  /** @returns ms until the first lease of somebody else ends, if ours are still too few; else -1 */
  async #take(wanted: number, names: readonly string[]): Promise<number> {
    const { connection } = this.#options;
    const { shards } = connection.keys;
    // Everybody begins at another place, so that two that start together do not want the same ones.
    const from = Math.floor((names.indexOf(this.owner) * shards) / Math.max(1, names.length));
    const free = Array.from({ length: shards }, (_, index) => (from + index) % shards).filter(
      (shard) => !this.#held.has(shard),
    );
    let firstEndMs = -1;
    for (let missing = wanted; missing > 0 && free.length > 0 && !this.#closing;) {
      const some = free.splice(0, missing);
      const sentAtMs = performance.now();
      const calls = some.map((shard) => {
        const { lease, epoch } = connection.keys.shard(shard);
        return { keys: [lease, epoch], args: [this.owner, this.#times.leaseMs] };
      });
      const replies = (await TAKE.runMany(connection.redis, calls)) as [epoch: number, othersMs: number][];
      for (const [index, [epoch, othersMs]] of replies.entries()) {
        if (epoch === 0) {
          firstEndMs = firstEndMs < 0 ? othersMs : Math.min(firstEndMs, othersMs);
          continue;
        }
        missing--;
        this.#gain(some[index] ?? 0, epoch, sentAtMs);
      }
    }
    this.#watchEnds();
    return firstEndMs;
  }

  #gain(shard: number, epoch: number, sentAtMs: number): void {
    this.#held.set(shard, { shard, epoch, endsAtMs: this.#endOfLease(sentAtMs), leaving: false });
    this.#options.onGained(shard, epoch);
  }

  /** Beside the rounds: leases have to be renewed while a batch is finished. */
  #giveUp(tenures: readonly Tenure[]): void {
    const leaving = tenures.filter((tenure) => !tenure.leaving);
    if (leaving.length === 0) return;
    for (const tenure of leaving) tenure.leaving = true;
    const under = this.#release(leaving)
      .catch((error: unknown) => this.#complain(error))
      .finally(() => this.#givingUp.delete(under));
    this.#givingUp.add(under);
  }

  /** L3: put down, then released, then told to the others. */
  async #release(leaving: readonly Tenure[]): Promise<void> {
    const { redis, keys } = this.#options.connection;
    await Promise.all(leaving.map(async ({ shard }) => this.#options.onLost(shard, 'given up')));
    const ours = leaving.filter((tenure) => this.#held.get(tenure.shard) === tenure);
    for (const { shard } of ours) this.#held.delete(shard);
    const calls = ours.map(({ shard }) => ({ keys: [keys.shard(shard).lease], args: [this.owner] }));
    await RELEASE_LEASE.runMany(redis, calls);
    await redis.publish(keys.leases, this.owner);
  }

  #lose(tenure: Tenure): void {
    if (this.#held.get(tenure.shard) !== tenure) return;
    this.#held.delete(tenure.shard);
    void Promise.resolve(this.#options.onLost(tenure.shard, 'lost')).catch((error: unknown) =>
      this.#complain(error),
    );
  }

  /** L1. */
  #endOfLease(sentAtMs: number): number {
    return sentAtMs + (this.#times.leaseMs * 5) / 6;
  }

  /** Ends leases on time, whatever became of the renewals. */
  #watchEnds(): void {
    clearTimeout(this.#endTimer);
    if (this.#held.size === 0 || this.#closed) return;
    this.#endTimer = setTimeout(() => {
      for (const tenure of this.#held.values()) if (performance.now() >= tenure.endsAtMs) this.#lose(tenure);
      this.#watchEnds();
    }, this.remainingMs() + 1);
  }

  #complain(error: unknown): void {
    this.#options.onError(error instanceof Error ? error : new Error(String(error)));
  }
}
