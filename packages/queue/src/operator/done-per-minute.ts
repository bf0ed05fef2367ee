import type { Redis } from 'ioredis';

/** Minutes for which BullMQ keeps its counts. */
export const COUNTED_MINUTES = 60;
const MINUTE_MS = 60_000;

/**
 * Tickets that were completed in the last 60 seconds, as far as counts of whole minutes tell: of the minute before this one,
 * as much as still lies within them.
 * @param base of BullMQ's keys of the queue; its workers count (`metrics`)
 */
export async function donePerMinute(redis: Redis, base: string, nowMs: number): Promise<number> {
  const [[count, countBefore, countedAt], [last = null]] = await Promise.all([
    redis.hmget(`${base}:metrics:completed`, 'count', 'prevCount', 'prevTS'),
    redis.lrange(`${base}:metrics:completed:data`, 0, 0),
  ]);
  if (count == null || countedAt == null) return 0;
  const counting = Number(count) - Number(countBefore ?? 0);
  const minutesAgo = minuteOf(nowMs) - minuteOf(Number(countedAt));
  const stillWithin = 1 - (nowMs % MINUTE_MS) / MINUTE_MS;
  if (minutesAgo <= 0) return Math.round(counting + Number(last ?? 0) * stillWithin);
  // Nothing was completed in this minute yet: what was counted last was in the minute before, or longer ago.
  return minutesAgo === 1 ? Math.round(counting * stillWithin) : 0;
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}
