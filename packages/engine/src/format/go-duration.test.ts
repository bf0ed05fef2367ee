import { describe, expect, it } from 'vitest';
import { parseGoDurationMs } from './go-duration.ts';

describe('a duration in the spelling of Go', () => {
  it.each([
    ['0', 0],
    ['90s', 90_000],
    ['2s', 2000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['500ms', 500],
    ['1.5s', 1500],
    ['.5s', 500],
    ['+2s', 2000],
    ['1h0m0.5s', 3_600_500],
  ])('%s is %i ms', (text, milliseconds) => {
    expect(parseGoDurationMs(text)).toBe(milliseconds);
  });

  it('rounds a fraction of a millisecond up, so that a short time does not become none', () => {
    expect(parseGoDurationMs('100us')).toBe(1);
    expect(parseGoDurationMs('1ns')).toBe(1);
  });

  it.each(['', '90', 's', '-5s', '5 s', '5S', '1d', '1h 30m', '1..5s', '5s!', '1e3s', `${'9'.repeat(30)}h`])(
    '%j is none',
    (text) => {
      expect(parseGoDurationMs(text)).toBeUndefined();
    },
  );
});
