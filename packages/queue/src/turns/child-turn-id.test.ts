import type { JobId } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { childTurnId } from './child-turn-id.ts';

describe('childTurnId', () => {
  it('is the id of the job in the letters of a turn id', () => {
    expect(childTurnId('boss.3.i2.0.d' as JobId)).toBe('boss_3_i2_0_d');
  });

  it('stays within the length of a turn id, the same for the same job and another for another', () => {
    const long = (end: string): JobId => `${'t'.repeat(60)}.1.b2.i333.0.${end}` as JobId;
    expect(childTurnId(long('d'))).toHaveLength(64);
    expect(childTurnId(long('d'))).toBe(childTurnId(long('d')));
    expect(childTurnId(long('d'))).not.toBe(childTurnId(long('e')));
  });
});
