/**
 * Names of everything we keep in Redis. docs/redis-keys.md is the same table for people; a test compares the two.
 *
 * K1 Every key of one turn carries the hash tag `{<turn>}`, every key of one shard `{<prefix>.shard.<n>}`, every BullMQ
 *    queue a tag of its own: a script never needs keys of two slots, so that the same code runs on a cluster.
 * K2 Nothing else in the code base builds a key.
 */
import { type JobId, type TurnId, turnOfJob } from '@skillyard/contracts';

/** Results streams that turns are spread over. Changing it strands the turns under way: drain first. */
export const DEFAULT_SHARDS = 16;
export const DEFAULT_PREFIX = 'skillyard';

/** The keys of one turn. */
export interface TurnKeys {
  /** Hash: submission, version, epoch, status, outcome. */
  readonly meta: string;
  /** Hash: record key to record, as the machine saves them. */
  readonly state: string;
  /** Hash: id of a pending job to its envelope. The outbox. */
  readonly jobs: string;
  /** Hash: id of a pending job to who started it, or `done`. */
  readonly claims: string;
  /** Hash: id of a pending job to a result too large for the results stream. */
  readonly payloads: string;
  /** Stream of trace events. */
  readonly trace: string;
  /** Hash: handle to whole value. Kept by the first turn of a chain of delegations, for all of them. */
  readonly memory: string;
  /** Hash: `<conversation>#<round>` to the messages of that round, `code:<journal>#<round>` to what code remembers of one, `#last`: the last. */
  readonly conversations: string;
  /** Hash: the outbox of a turn that failed, as it was before the result that ended it. */
  readonly endedJobs: string;
  /** Hash: the state of a turn that is bound to fail, as it was before the result that decided so. */
  readonly doomedState: string;
  /** Hash: claims of calls that must not run twice and that such a turn dropped since. */
  readonly doomedClaims: string;
  /** List: ids of the jobs whose results came since, in the order in which they were applied. */
  readonly replay: string;
  /** Hash: job id to what the job was given and what it gave, where a history is kept. */
  readonly history: string;
}

/** The keys of one shard of turns. */
export interface ShardKeys {
  /** Stream of what happens to the turns: starts, results of jobs, cancellations, deadlines. */
  readonly results: string;
  /** Sorted set of turns that have not ended, by the time of their submission. */
  readonly live: string;
  /** String: the orchestrator that runs the turns of this shard. */
  readonly lease: string;
  /** Counter: owners so far. The fencing token of the present one. */
  readonly epoch: string;
}

/** Which turns a tenant has. */
export interface TenantKeys {
  /** Sorted set: its turns, by the time of their submission. */
  readonly turns: string;
  /** Sorted set: those of them that have ended, by the time of their end. */
  readonly ended: string;
}

/** The keys of the failed jobs of one queue, in the slot of the queue. */
export interface FailedKeys {
  /** Sorted set: job id by the time it failed. */
  readonly times: string;
  /** Hash: job id to what is known of its failure. */
  readonly jobs: string;
}

/** The skills that a tenant has uploaded, in the slot of the tenant. */
export interface TenantSkillKeys {
  /** Hash: name to the current version (JSON). */
  readonly skills: string;
  /** Hash: name to its versions, one a line (JSON), the newest first. */
  readonly versions: string;
  /** Hash: hash of a text to the text; `#bytes` has the length of them all. */
  readonly texts: string;
}

/** The schedules of a tenant, in its slot. */
export interface ScheduleKeys {
  /** Hash: id to the schedule (JSON). */
  readonly schedules: string;
  /** Hash: id to what became of its last firing (JSON). */
  readonly firings: string;
}

export class Keys {
  readonly prefix: string;
  readonly shards: number;

  constructor(prefix: string = DEFAULT_PREFIX, shards: number = DEFAULT_SHARDS) {
    this.prefix = prefix;
    this.shards = shards;
  }

  turn(id: TurnId): TurnKeys {
    const tag = `${this.prefix}:{${id}}`;
    return {
      meta: `${tag}:meta`,
      state: `${tag}:state`,
      jobs: `${tag}:jobs`,
      claims: `${tag}:claims`,
      payloads: `${tag}:payloads`,
      trace: `${tag}:trace`,
      memory: `${tag}:memory`,
      conversations: `${tag}:conversations`,
      endedJobs: `${tag}:ended-jobs`,
      doomedState: `${tag}:doomed-state`,
      doomedClaims: `${tag}:doomed-claims`,
      replay: `${tag}:replay`,
      history: `${tag}:history`,
    };
  }

  shard(index: number): ShardKeys {
    const tag = `${this.prefix}:{${this.prefix}.shard.${index}}`;
    return {
      results: `${tag}:results`,
      live: `${tag}:live`,
      lease: `${tag}:lease`,
      epoch: `${tag}:epoch`,
    };
  }

  /** The turns of a tenant that were submitted from outside. */
  turnsOf(tenant: string): TenantKeys {
    const tag = `${this.prefix}:{${this.prefix}.tenant.${tenant}}`;
    return { turns: `${tag}:turns`, ended: `${tag}:ended` };
  }

  /** Sorted set: the questions of a tenant's turns that are open, by the time they were asked. */
  questions(tenant: string): string {
    return `${this.#tenantTag(tenant)}:questions`;
  }

  /** Set: the tenants that have had turns. */
  get tenants(): string {
    return `${this.prefix}:tenants`;
  }

  /** The shard a turn belongs to, for as long as it lives. */
  shardOf(id: TurnId): number {
    return fnv1a(id) % this.shards;
  }

  shardOfJob(id: JobId): number {
    return this.shardOf(turnOfJob(id));
  }

  /** The text of a skill, by the hash of the text. */
  skill(hash: string): string {
    return `${this.prefix}:skill:${hash}`;
  }

  /** The skills that a tenant has uploaded. */
  tenantSkills(tenant: string): TenantSkillKeys {
    const tag = this.#tenantTag(tenant);
    return { skills: `${tag}:skills`, versions: `${tag}:skill-versions`, texts: `${tag}:skill-texts` };
  }

  /** The turns that a tenant has submitted by the clock. */
  tenantSchedules(tenant: string): ScheduleKeys {
    const tag = this.#tenantTag(tenant);
    return { schedules: `${tag}:schedules`, firings: `${tag}:schedule-firings` };
  }

  #tenantTag(tenant: string): string {
    return `${this.prefix}:{${this.prefix}.tenant.${tenant}}`;
  }

  /** What a tool server offers. */
  tools(server: string): string {
    return `${this.prefix}:tools:${server}`;
  }

  /** The heartbeat of a worker process. */
  worker(name: string): string {
    return `${this.prefix}:worker:${name}`;
  }

  /** BullMQ's `prefix` for one queue: each queue has a slot of its own. */
  queuePrefix(queue: string): string {
    return `${this.prefix}:{${this.prefix}.queue.${queue}}`;
  }

  /** Sorted set: the orchestrators that live, by the time at which they count as dead. */
  get orchestrators(): string {
    return `${this.prefix}:orchestrators`;
  }

  /** Channel on which orchestrators learn that shards are free, or that one of them is new. */
  get leases(): string {
    return `${this.prefix}:leases`;
  }

  /** Hash: worker to how many jobs of a queue it runs at once. */
  capacity(queue: string): string {
    return `${this.queuePrefix(queue)}:capacity`;
  }

  /** Hash: orchestrator to the jobs of a queue that it holds back, by tenant. */
  held(queue: string): string {
    return `${this.queuePrefix(queue)}:held`;
  }

  /** Failed jobs of one queue. */
  failed(queue: string): FailedKeys {
    const tag = `${this.queuePrefix(queue)}:failed`;
    return { times: tag, jobs: `${tag}-jobs` };
  }

  /** Set: the queues that have had failed jobs. */
  get failedQueues(): string {
    return `${this.prefix}:failed-queues`;
  }

  /** Hash: id of an API key to what is known of it. Holds the hash of its secret, never the secret. */
  get apiKeys(): string {
    return `${this.prefix}:api-keys`;
  }

  /** String: when a tenant may make as many requests at once as ever again. */
  requests(tenant: string): string {
    return `${this.prefix}:requests:${tenant}`;
  }

  /** Stream: the audit log of a tenant; that of all with `*`. */
  audit(tenant: string): string {
    return `${this.prefix}:audit:${tenant}`;
  }

  /** Channel on which workers learn of jobs that are no longer wanted. */
  get aborts(): string {
    return `${this.prefix}:aborts`;
  }
}

/** 32-bit FNV-1a: stable across versions and languages, and good enough to spread ids over 16 shards. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
