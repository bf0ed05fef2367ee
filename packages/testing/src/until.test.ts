import { describe, expect, it } from 'vitest';
import { until } from './until.ts';

describe('until', () => {
  it('gives what the condition gave when it became true', async () => {
    let asked = 0;
    expect(await until(() => (++asked >= 3 ? `asked ${asked} times` : ''))).toBe('asked 3 times');
  });

  it('takes a condition that throws for one that is not yet true', async () => {
    let asked = 0;
    const value = await until(async () => {
      if (++asked < 3) throw new Error('not yet');
      return asked;
    });
    expect(value).toBe(3);
  });

  it('gives up with the name of the condition and its last error', async () => {
    const waiting = until(
      () => {
        throw new Error('still closed');
      },
      30,
      'the door',
    );
    await expect(waiting).rejects.toMatchObject({
      message: 'the door did not come true in 30 ms',
      cause: { message: 'still closed' },
    });
  });
});
