import type { JobId } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';

/** The ticket of a job, as its queue has it. */
export interface TicketFacts {
  /** `none`: the queue has no ticket of this job. */
  readonly state: 'waiting' | 'delayed' | 'active' | 'none';
  /** Waiting: tickets that are taken before it; null when it stands too far back to be counted. */
  readonly ahead: number | null;
  /** Attempts that began and did not give a result, or gave one that is tried again. */
  readonly attempts: number;
  /** When it was put into the queue. */
  readonly addedAtMs: number | null;
  /** Active: when its worker took it. */
  readonly takenAtMs: number | null;
  /** Delayed: when it can be taken again. */
  readonly dueAtMs: number | null;
  /** What its last attempt failed with. */
  readonly lastCode: string | null;
}

/** Tickets further back than this are not counted: a long list is walked for each. */
const FARTHEST = 10_000;
/** BullMQ keeps the due time of a delayed job in the upper bits of its score. */
const DUE_FACTOR = 0x1000;

const NONE: TicketFacts = {
  state: 'none',
  ahead: null,
  attempts: 0,
  addedAtMs: null,
  takenAtMs: null,
  dueAtMs: null,
  lastCode: null,
};

/**
 * Reads the tickets of many jobs of one queue in one round trip.
 * It reads BullMQ's own keys: its API takes several round trips for each job, and knows no position.
 */
export async function readTickets(
  connection: QueueConnection,
  queue: string,
  jobIds: readonly JobId[],
): Promise<TicketFacts[]> {
  const base = `${connection.keys.queuePrefix(queue)}:${queue}`;
  const pipeline = connection.redis.pipeline();
  pipeline.llen(`${base}:wait`);
  pipeline.llen(`${base}:paused`);
  for (const id of jobIds) {
    pipeline.hmget(`${base}:${id}`, 'timestamp', 'processedOn', 'atm', 'failedReason');
    pipeline.lpos(`${base}:wait`, id, 'RANK', -1, 'MAXLEN', FARTHEST);
    pipeline.lpos(`${base}:paused`, id, 'RANK', -1, 'MAXLEN', FARTHEST);
    pipeline.zrank(`${base}:prioritized`, id);
    pipeline.zscore(`${base}:delayed`, id);
    pipeline.lpos(`${base}:active`, id);
  }
  const replies = ((await pipeline.exec()) ?? []).map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  });
  const [waiting, paused] = replies.splice(0, 2) as [number, number];
  return jobIds.map((_id, index) => {
    const [fields, wait, pausedAt, priority, due, active] = replies.slice(index * 6, index * 6 + 6) as [
      (string | null)[],
      number | null,
      number | null,
      number | null,
      string | null,
      number | null,
    ];
    const [addedAt = null, takenAt = null, attempts = null, reason = null] = fields;
    if (addedAt === null) return NONE;
    const common = {
      ...NONE,
      attempts: Number(attempts ?? 0),
      addedAtMs: Number(addedAt),
      lastCode: reason === null || reason === '' ? null : reason,
    };
    if (active !== null)
      return { ...common, state: 'active', takenAtMs: takenAt === null ? null : Number(takenAt) };
    if (due !== null) return { ...common, state: 'delayed', dueAtMs: Math.floor(Number(due) / DUE_FACTOR) };
    return { ...common, state: 'waiting', ahead: ahead({ wait, waiting, pausedAt, paused, priority }) };
  });
}

/** BullMQ adds at the head of a list and takes from its tail, and takes those with a priority after all others. */
function ahead(at: {
  readonly wait: number | null;
  readonly waiting: number;
  readonly pausedAt: number | null;
  readonly paused: number;
  readonly priority: number | null;
}): number | null {
  if (at.wait !== null) return at.waiting - 1 - at.wait;
  if (at.pausedAt !== null) return at.paused - 1 - at.pausedAt;
  return at.priority === null ? null : at.waiting + at.priority;
}
