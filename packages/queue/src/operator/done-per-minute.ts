import type { Redis } from 'ioredis';

/** Minutes for which BullMQ keeps its counts. */
export const COUNTED_MINUTES = 60;
const MINUTE_MS = 60_000;

/** What BullMQ counts of a queue. */
interface Counted {
  /** Tickets completed in the minute that it counts, which need not be this one. */
  readonly counting: number;
  /** A time in that minute. */
  readonly sinceMs: number;
  /** Tickets completed in the minute before that. */
  readonly before: number;
}

/**
 * Tickets that were completed in the last 60 seconds.
 * @param base of BullMQ's keys of the queue; its workers count (`metrics`)
 */
export async function donePerMinute(redis: Redis, base: string, nowMs: number): Promise<number> {
  const [[count, countBefore, countedAt], [before]] = await Promise.all([
    redis.hmget(`${base}:metrics:completed`, 'count', 'prevCount', 'prevTS'),
    redis.lrange(`${base}:metrics:completed:data`, 0, 0),
  ]);
  if (countedAt == null) return 0;
  const counting = Number(count ?? 0) - Number(countBefore ?? 0);
  return rateOf({ counting, sinceMs: Number(countedAt), before: Number(before ?? 0) }, nowMs);
}

/** As far as counts of whole minutes tell: of the minute before this one, as much as still lies within 60 seconds. */
export function rateOf({ counting, sinceMs, before }: Counted, nowMs: number): number {
  const minutesAgo = Math.floor(nowMs / MINUTE_MS) - Math.floor(sinceMs / MINUTE_MS);
  const stillWithin = 1 - (nowMs % MINUTE_MS) / MINUTE_MS;
  if (minutesAgo <= 0) return Math.round(counting + before * stillWithin);
  return minutesAgo === 1 ? Math.round(counting * stillWithin) : 0;
}
