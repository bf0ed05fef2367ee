import {
  DEFAULT_TENANT,
  type JobId,
  type StepResult,
  type TraceEvent,
  type TurnId,
  turnOfJob,
  type TurnOrigin,
  type TurnOutcome,
} from '@skillyard/contracts';
import type { StateRecord, TurnSettings } from '@skillyard/engine';
import type { QueueConnection } from '../connection.ts';
import type { JobEnvelope } from '../envelope.ts';
import type { TurnKeys } from '../keys.ts';
import { COMMIT } from '../scripts/commit-script.ts';
import { NOTE_ENDS } from '../scripts/index-script.ts';
import { KEEP_LATE } from '../scripts/reopen-script.ts';
import type { ScriptCall } from '../scripts/lua-script.ts';
import type { ReopenableEnd } from './reopenable-end.ts';
import { type StoredTurn, storedTurn } from './stored-turn.ts';
import { forgetUnknown } from './list-turn.ts';
import { type EndedTurn, TurnEnds } from './turn-ends.ts';

/** What an event did to a turn. */
export interface TurnChanges {
  readonly turnId: TurnId;
  /** The version this was computed from; 0 starts the turn. */
  readonly version: number;
  readonly written: readonly StateRecord[];
  readonly removed: readonly string[];
  readonly events: readonly TraceEvent[];
  readonly asked: readonly JobEnvelope[];
  /** Jobs whose result was applied, and jobs that were dropped. */
  readonly settled: readonly JobId[];
  /** How many questions to people it waits for more than before; absent: none. */
  readonly waiting?: number;
  readonly outcome: TurnOutcome | null;
  /** Of a turn that ends, now or later, so that it can be reopened. */
  readonly end?: ReopenableEnd | undefined;
}

/** The parts of a live turn. */
export interface StoredState {
  readonly records: readonly StateRecord[];
  readonly pending: readonly JobEnvelope[];
}

/** The jobs that a turn waits for. */
export interface UndoneJobs {
  /** Nobody has started them. */
  readonly unclaimed: JobEnvelope[];
  /** Somebody has; they are under way, or their results are. */
  readonly claimed: JobEnvelope[];
  /** Their results are known and only have to be posted. */
  readonly kept: JobId[];
}

/** A turn of a live set. */
export interface SubmittedTurn {
  readonly turnId: TurnId;
  readonly submittedAtMs: number;
}

/** How long the outcome, trace and values of an ended turn can be read. */
const DEFAULT_RETENTION_SECONDS = 24 * 60 * 60;

export interface TurnStoreOptions {
  readonly retentionSeconds?: number;
  /**
   * The fencing token under which a turn is written: the epoch of its shard; null when the shard is not ours. Default:
   * 0, for whoever only reads.
   */
  readonly epoch?: (turnId: TurnId) => number | null;
  /** Told why ends of turns could not be written down, which is tried again. */
  readonly onError?: (error: unknown) => void;
}

/** Reads and commits turns. The orchestrator's view of what Redis holds. */
export class TurnStore {
  readonly #connection: QueueConnection;
  readonly #retentionSeconds: number;
  readonly #epoch: (turnId: TurnId) => number | null;
  readonly #ends: TurnEnds;

  constructor(connection: QueueConnection, options: TurnStoreOptions = {}) {
    this.#connection = connection;
    this.#retentionSeconds = options.retentionSeconds ?? DEFAULT_RETENTION_SECONDS;
    this.#epoch = options.epoch ?? (() => 0);
    this.#ends = new TurnEnds(connection, this.#retentionSeconds * 1000, options.onError ?? (() => {}));
  }

  /** Makes the server know the scripts of a turn's way, so that no first one comes later than it is sent. */
  async prepare(): Promise<void> {
    const { redis } = this.#connection;
    await Promise.all([COMMIT.load(redis), NOTE_ENDS.load(redis)]);
  }

  /**
   * Commits changes of several turns, each on its own (Q1).
   * @returns for each the new version, or null if the turn has moved on or is not ours: the caller's copy of it is void
   */
  async commit(changes: readonly TurnChanges[], nowMs: number): Promise<(number | null)[]> {
    const versions: (number | null)[] = changes.map(() => null);
    const ours = changes.flatMap((change, index) => {
      const epoch = this.#epoch(change.turnId);
      return epoch === null ? [] : [{ index, call: this.#commitCall(change, epoch, nowMs) }];
    });
    const replies = await COMMIT.runMany(
      this.#connection.redis,
      ours.map(({ call }) => call),
    );
    for (const [at, { index }] of ours.entries()) {
      const version = Number(replies[at]);
      if (version > 0) versions[index] = version;
    }
    return versions;
  }

  #commitCall(change: TurnChanges, epoch: number, nowMs: number): ScriptCall {
    const keys = this.#connection.keys.turn(change.turnId);
    const { outcome, end } = change;
    return {
      keys: [
        keys.meta,
        keys.state,
        keys.jobs,
        keys.claims,
        keys.payloads,
        keys.trace,
        ...(outcome === null && end === undefined ? [] : endKeys(keys)),
      ],
      args: [
        change.version,
        epoch,
        nowMs,
        outcome === null ? '' : JSON.stringify(outcome),
        outcome === null ? 'running' : outcome.status,
        this.#retentionSeconds,
        end === undefined ? '' : '1',
        (end?.fatal ?? []).map((result) => JSON.stringify(result)).join(','),
        change.events.filter(isStepEnd).length,
        change.waiting ?? 0,
        ...list(change.written.flatMap((record) => [record.key, JSON.stringify(record)])),
        ...list(change.removed),
        ...list(change.events.map((event) => JSON.stringify(event))),
        ...list(change.asked.flatMap((envelope) => [envelope.job.id, JSON.stringify(envelope)])),
        ...list(change.settled),
        ...list((end?.results ?? []).flatMap((result) => [result.jobId, JSON.stringify(result)])),
      ],
    };
  }

  /** What is known of a turn; null when there is none, or no longer. */
  async read(turnId: TurnId): Promise<StoredTurn | null> {
    const meta = await this.#connection.redis.hgetall(this.#connection.keys.turn(turnId).meta);
    return meta['status'] === undefined ? null : storedTurn(turnId, meta);
  }

  /** Whose turns these are, one for each; null for one that is not there, or no longer. */
  async tenantsOf(turnIds: readonly TurnId[]): Promise<(string | null)[]> {
    const { redis, keys } = this.#connection;
    const read = turnIds.map((id) => redis.hmget(keys.turn(id).meta, 'status', 'origin'));
    return (await Promise.all(read)).map(([status, origin]) => {
      if (status == null) return null;
      return origin == null ? DEFAULT_TENANT : (JSON.parse(origin) as TurnOrigin).tenant;
    });
  }

  /** Whether a turn has started and not ended. */
  async isRunning(turnId: TurnId): Promise<boolean> {
    const { redis, keys } = this.#connection;
    return (await redis.hget(keys.turn(turnId).meta, 'status')) === 'running';
  }

  /** The records and the outbox of a live turn. */
  async load(turnId: TurnId): Promise<StoredState> {
    const { redis, keys } = this.#connection;
    const [records, pending] = await Promise.all([
      redis.hvals(keys.turn(turnId).state),
      this.pending(turnId),
    ]);
    return { records: records.map((json) => JSON.parse(json) as StateRecord), pending };
  }

  /**
   * The jobs of an outbox, by what is to be done about them now. One that is marked done has its result in the payloads
   * of a turn that was reopened; that may have been delivered before the job was asked for, and passed over.
   */
  async undone(turnId: TurnId): Promise<UndoneJobs> {
    const keys = this.#connection.keys.turn(turnId);
    const [pending, claims] = await Promise.all([
      this.pending(turnId),
      this.#connection.redis.hgetall(keys.claims),
    ]);
    const jobs: UndoneJobs = { unclaimed: [], claimed: [], kept: [] };
    for (const envelope of pending) {
      const claim = claims[envelope.job.id];
      if (claim === 'done') jobs.kept.push(envelope.job.id);
      else if (claim === undefined) jobs.unclaimed.push(envelope);
      else jobs.claimed.push(envelope);
    }
    return jobs;
  }

  /** The outbox of a turn: the jobs it waits for. */
  async pending(turnId: TurnId): Promise<JobEnvelope[]> {
    const jobs = await this.#connection.redis.hvals(this.#connection.keys.turn(turnId).jobs);
    return jobs.map((json) => JSON.parse(json) as JobEnvelope);
  }

  /** One job of an outbox; null when nobody waits for it. */
  async pendingJob(jobId: JobId): Promise<JobEnvelope | null> {
    const json = await this.#connection.redis.hget(this.#connection.keys.turn(turnOfJob(jobId)).jobs, jobId);
    return json === null ? null : (JSON.parse(json) as JobEnvelope);
  }

  /** The settings a turn runs under; null when it has not started, or has ended. */
  async settings(turnId: TurnId): Promise<TurnSettings | null> {
    const json = await this.#connection.redis.hget(this.#connection.keys.turn(turnId).state, 'turn');
    return json === null ? null : (JSON.parse(json) as { settings: TurnSettings }).settings;
  }

  /** The text of a skill by its hash; null when it is not there any longer. */
  async skillText(hash: string): Promise<string | null> {
    return this.#connection.redis.get(this.#connection.keys.skill(hash));
  }

  /** Keeps results that came too late for a turn that can be reopened. */
  async keepLate(turnId: TurnId, results: readonly StepResult[]): Promise<void> {
    const { redis, keys } = this.#connection;
    const { meta, claims, payloads, endedJobs } = keys.turn(turnId);
    const calls = results.map((result) => ({
      keys: [meta, claims, payloads, endedJobs],
      args: [result.jobId, JSON.stringify(result)],
    }));
    await KEEP_LATE.runMany(redis, calls);
  }

  /** Has written down, soon, that a turn has ended: it is listed as such, and no longer live (X2, Q8). May be repeated. */
  noteEnd(turn: EndedTurn): void {
    this.#ends.note(turn);
  }

  /** Writes down what was noted, so that nothing is left to do for this store. */
  flush(): Promise<void> {
    return this.#ends.flush();
  }

  /** How many turns of these shards have not ended. */
  async countLive(shards: readonly number[]): Promise<number> {
    const { redis, keys } = this.#connection;
    const counts = await Promise.all(shards.map((shard) => redis.zcard(keys.shard(shard).live)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Forgets turns of which nothing came after their ids (Q8). */
  async forgetUnknown(turnIds: readonly TurnId[]): Promise<void> {
    const { redis, keys } = this.#connection;
    await forgetUnknown(this.#connection, turnIds);
    await Promise.all(turnIds.map((id) => redis.zrem(keys.shard(keys.shardOf(id)).live, id)));
  }

  /**
   * Some of the turns of a shard that have not ended, with the times of their submissions. Going on from cursor to
   * cursor until `0` meets every turn that was live all the while, some of them twice.
   * @param cursor `0` to begin
   */
  async scanLive(
    shard: number,
    cursor: string,
    count: number,
  ): Promise<{ cursor: string; turns: SubmittedTurn[] }> {
    const { redis, keys } = this.#connection;
    const [next, flat] = await redis.zscan(keys.shard(shard).live, cursor, 'COUNT', count);
    const turns = [];
    for (let index = 0; index + 1 < flat.length; index += 2) {
      turns.push({ turnId: flat[index] as TurnId, submittedAtMs: Number(flat[index + 1]) });
    }
    return { cursor: next, turns };
  }
}

/** Whether an event is taken back when the turn is reopened. */
function isStepEnd({ type }: TraceEvent): boolean {
  return type === 'step.finished' || type === 'steps.discarded';
}

function list(items: readonly string[]): (string | number)[] {
  return [items.length, ...items];
}

/** Keys that only the end of a turn needs, and what is kept for it. */
function endKeys(keys: TurnKeys): string[] {
  const { memory, conversations, endedJobs, doomedState, doomedClaims, replay, history } = keys;
  return [memory, conversations, endedJobs, doomedState, doomedClaims, replay, history];
}
