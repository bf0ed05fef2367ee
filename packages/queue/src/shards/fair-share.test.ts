import { describe, expect, it } from 'vitest';
import { fairShare } from './fair-share.ts';

const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `o${index}`);

describe('fairShare', () => {
  it('adds up to all shards, evenly, for any number of orchestrators (L4)', () => {
    for (let count = 1; count <= 20; count++) {
      const names = named(count);
      const shares = names.map((name) => fairShare(16, names, name));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(16);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      expect(Math.max(...shares)).toBe(Math.ceil(16 / count));
    }
  });

  it('is nothing for an orchestrator that does not count as alive', () => {
    expect(fairShare(16, named(3), 'somebody')).toBe(0);
  });
});
