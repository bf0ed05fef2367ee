import { afterAll, describe, expect, it } from 'vitest';
import { runLoad } from './run-load.ts';
import { startSystem } from './system.ts';

const system = await startSystem(50);
afterAll(() => system?.close());

describe.skipIf(system === undefined)('many turns through the API', { timeout: 120_000 }, () => {
  it('all end, and no event of them is lost, doubled or out of order', async () => {
    const report = await runLoad(system!, { turns: 100, listeners: 20, seed: 7 });
    expect(report.violations).toEqual([]);
    expect(report.turns).toBe(100);
    expect(report.measured).toBeGreaterThan(0);
  });
});
