import type { QueueConnection } from '@skillyard/queue';

/** What a queue of BullMQ keeps beside its tickets; every list and set of tickets has to be gone. */
const QUEUE_CONSTANTS = new Set(['meta', 'id', 'events', 'stalled-check', 'marker']);
/** What BullMQ counts of a queue, what is remembered of jobs that failed, and what the workers that live take. */
const BESIDE_QUEUE = /:metrics:completed(:data)?$|^\{[^}]+\}:(failed(-jobs)?|capacity)$/;
/** What a shard keeps for good. */
const SHARD_CONSTANTS = new Set(['results', 'epoch', 'lease']);
/** What belongs to no turn, shard or queue. */
const COMMON = /^(skill:|tools:|worker:|orchestrators$|tenants$|failed-queues$)/;

/** The keys of a system in which nothing runs and nothing is remembered. */
export interface Leftovers {
  /** Skills, tool lists, streams, queues. */
  readonly constant: number;
  readonly leftOver: string[];
}

/** Looks for keys that should be gone, and for entries in streams that should be empty. */
export async function findLeftovers({ redis, keys }: QueueConnection): Promise<Leftovers> {
  const leftOver: string[] = [];
  let constant = 0;
  for (const key of await redis.keys(`${keys.prefix}:*`)) {
    if (isConstant(key, keys.prefix)) constant++;
    else leftOver.push(key);
  }
  for (let shard = 0; shard < keys.shards; shard++) {
    const { results } = keys.shard(shard);
    const entries = await redis.xlen(results);
    if (entries > 0) leftOver.push(`${results}: ${entries} entries`);
  }
  return { constant, leftOver: leftOver.toSorted() };
}

function isConstant(key: string, prefix: string): boolean {
  const rest = key.slice(prefix.length + 1);
  const last = rest.slice(rest.lastIndexOf(':') + 1);
  if (rest.startsWith(`{${prefix}.queue.`)) return QUEUE_CONSTANTS.has(last) || BESIDE_QUEUE.test(rest);
  if (rest.startsWith(`{${prefix}.shard.`)) return SHARD_CONSTANTS.has(last);
  return COMMON.test(rest);
}
