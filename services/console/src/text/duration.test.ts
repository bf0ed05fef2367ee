import { describe, expect, it } from 'vitest';
import { durationText } from './duration.ts';

describe('durationText', () => {
  it.each([
    [-3, '0 ms'],
    [840, '840 ms'],
    [3210, '3.2 s'],
    [59_949, '59.9 s'],
    [59_990, '1 min 0 s'],
    [250_000, '4 min 10 s'],
    [7_500_000, '2 h 5 min'],
    [200_000_000, '2 d 7 h'],
  ])('%d ms are %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
