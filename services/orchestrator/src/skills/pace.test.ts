import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';

describe('Pace', () => {
  it('does one piece of work after the other, and rests in between', async () => {
    const pace = new Pace();
    const times: number[] = [];
    const work = async (): Promise<void> => {
      times.push(performance.now());
      const end = performance.now() + 20;
      while (performance.now() < end);
      times.push(performance.now());
    };
    await Promise.all([pace.run(work), pace.run(work)]);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan(50);
  });

  it('goes on after work that failed', async () => {
    const pace = new Pace();
    await expect(pace.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await pace.run(async () => 'yes')).toBe('yes');
  });

  it('refuses work when too much waits', async () => {
    const pace = new Pace();
    let release = (): void => {};
    const all = [pace.run(() => new Promise<void>((resolve) => (release = resolve)))];
    await Promise.resolve();
    for (let index = 0; index < 50; index++) all.push(pace.run(async () => {}));
    await expect(pace.run(async () => {})).rejects.toMatchObject({ code: 'API_UNAVAILABLE' });
    release();
    await Promise.all(all);
  });
});
