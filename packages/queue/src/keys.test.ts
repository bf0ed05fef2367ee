import { readFileSync } from 'node:fs';
import { turnId } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { Keys } from './keys.ts';

const keys = new Keys('<p>', 16);

/** The first column of the first table of docs/redis-keys.md. */
function documentedKeys(): string[] {
  const text = readFileSync(new URL('../../../docs/redis-keys.md', import.meta.url), 'utf8');
  const [table = ''] = text.split('\n## ');
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '');
}

describe('Keys', () => {
  it('are those of docs/redis-keys.md', () => {
    const plain = (key: string): string =>
      key.replaceAll('turn-id', '<turn>').replaceAll('.shard.7', '.shard.<n>');
    const turn = Object.values(keys.turn(turnId('turn-id'))).map((key: string) => plain(key));
    const shard = Object.values(keys.shard(7)).map((key: string) => plain(key));
    const queue = `${keys.queuePrefix('<queue>')}:<queue>:*`;
    const built = [
      ...turn,
      ...shard,
      ...Object.values(keys.turnsOf('<tenant>')),
      keys.questions('<tenant>'),
      keys.tenants,
      keys.capacity('<queue>'),
      keys.held('<queue>'),
      ...Object.values(keys.failed('<queue>')),
      keys.failedQueues,
      keys.apiKeys,
      keys.requests('<tenant>'),
      keys.audit('<tenant>'),
      keys.skill('<hash>'),
      ...Object.values(keys.tenantSkills('<tenant>')),
      ...Object.values(keys.tenantSchedules('<tenant>')),
      keys.tools('<server>'),
      keys.worker('<worker>'),
      queue,
      keys.aborts,
      keys.orchestrators,
      keys.leases,
    ];
    expect(new Set(documentedKeys())).toEqual(new Set(built));
  });

  it('give all keys of one turn, of one shard and of one queue the same hash tag (K1)', () => {
    const tagOf = (key: string): string => /\{([^}]+)\}/.exec(key)?.[1] ?? '';
    expect(new Set(Object.values(keys.turn(turnId('a'))).map(tagOf))).toEqual(new Set(['a']));
    expect(new Set(Object.values(keys.shard(3)).map(tagOf))).toEqual(new Set(['<p>.shard.3']));
    expect(tagOf(keys.queuePrefix('model'))).not.toBe(tagOf(keys.queuePrefix('tool.mill')));
  });

  it('spread turns evenly over the shards, always the same way', () => {
    const counts = new Map<number, number>();
    for (let index = 0; index < 16_000; index++) {
      const shard = keys.shardOf(turnId(`tmx${index.toString(36)}`));
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect(counts.size).toBe(16);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250);
    // Pinned: turns that are under way when a new version starts must be found.
    expect(keys.shardOf(turnId('same'))).toBe(11);
  });
});
