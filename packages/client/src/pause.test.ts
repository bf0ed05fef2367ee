import { describe, expect, it } from 'vitest';
import { pause, pauseMs } from './pause.ts';

describe('the pause before another attempt', () => {
  it('is as long as Retry-After says, in seconds or until a date', () => {
    expect(pauseMs(1, '3')).toBe(3000);
    const date = new Date(Date.now() + 5000).toUTCString();
    expect(pauseMs(1, date)).toBeGreaterThan(3000);
    expect(pauseMs(1, date)).toBeLessThanOrEqual(5000);
    expect(pauseMs(1, new Date(0).toUTCString())).toBe(0);
  });

  it('is anything below a bound that doubles, up to 10 s', () => {
    for (const [attempt, below] of [
      [1, 250],
      [3, 1000],
      [40, 10_000],
    ] as const) {
      const drawn = Array.from({ length: 200 }, () => pauseMs(attempt, null));
      expect(Math.max(...drawn)).toBeLessThan(below);
      expect(Math.max(...drawn)).toBeGreaterThan(below / 2);
      expect(Math.min(...drawn)).toBeLessThan(below / 2);
    }
    expect(pauseMs(1, 'soon')).toBeLessThan(250);
  });

  it('ends with the reason of the signal that is given meanwhile, or was before', async () => {
    const controller = new AbortController();
    const waiting = pause(60_000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(pause(60_000, controller.signal)).rejects.toThrow('enough');
  });
});
