import { describe, expect, it } from 'vitest';
import { TenantLimits } from './tenant-limits.ts';

const limits = new TenantLimits(
  { acme: { weight: 3 }, '*': { active_turns: 2 } },
  { countOpen: (tenant) => Promise.resolve(tenant === 'busy' ? 2 : 1) },
);

describe('TenantLimits', () => {
  it('gives a tenant its own limits, and every other one those of *', () => {
    expect(limits.of('acme')).toEqual({ weight: 3 });
    expect(limits.of('other')).toEqual({ active_turns: 2 });
    expect(new TenantLimits(undefined, { countOpen: () => Promise.resolve(0) }).of('other')).toEqual({});
  });

  it('finds no limits behind names that every object has', () => {
    expect(limits.of('constructor')).toEqual({ active_turns: 2 });
  });

  it('refuses a turn above the limit with TENANT_LIMIT and both numbers', async () => {
    await expect(limits.admit('busy')).rejects.toMatchObject({
      code: 'TENANT_LIMIT',
      details: { tenant: 'busy', activeTurns: 2, limit: 2 },
    });
    await limits.admit('calm');
    await limits.admit('acme');
  });

  it('admits a turn right after the end of another one, which is counted a moment later', async () => {
    const counts = [2, 1];
    const countOpen = (): Promise<number> => Promise.resolve(counts.shift() ?? 0);
    await new TenantLimits({ '*': { active_turns: 2 } }, { countOpen }).admit('acme');
    expect(counts).toEqual([]);
  });
});
