import { describe, expect, it } from 'vitest';
import { rateOf } from './done-per-minute.ts';

const MINUTE_MS = 60_000;
/** A quarter of the hundredth minute is over. */
const NOW_MS = 100 * MINUTE_MS + 15_000;

describe('jobs per minute', () => {
  it('are those of this minute, and of the one before as much as still lies within 60 seconds', () => {
    expect(rateOf({ counting: 10, sinceMs: 100 * MINUTE_MS + 5, before: 40 }, NOW_MS)).toBe(10 + 30);
  });

  it('are a part of those of the minute before while nothing was done in this one', () => {
    expect(rateOf({ counting: 40, sinceMs: 99 * MINUTE_MS + 5, before: 1000 }, NOW_MS)).toBe(30);
  });

  it('are none when nothing was done for longer', () => {
    expect(rateOf({ counting: 40, sinceMs: 98 * MINUTE_MS, before: 1000 }, NOW_MS)).toBe(0);
  });
});
