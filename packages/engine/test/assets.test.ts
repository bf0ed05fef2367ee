import { describe, expect, it } from 'vitest';
import { Drive } from './drive.ts';

const flow = (asset: string, step: string): Drive =>
  new Drive(
    `tools: [desk]\nassets: {card: ${asset}}\nsteps:\n  - ${step}\n  - {name: again, set: {var: b, value: "{{asset:card}}"}}`,
  );

const SET = '{name: use, set: {var: a, value: "<{{asset:card}}>"}}';

describe('assets in the machine', () => {
  it('asks once, also for what two steps use', () => {
    const run = flow('{kind: text, ref: cards/a}', SET);
    expect(run.open).toMatchObject([{ kind: 'asset', name: 'card', id: 't.a0' }]);
    run.answer({ text: 'hello' });
    expect(run.outcome?.vars).toEqual({ a: '<hello>', b: 'hello' });
  });

  it('degrades every step that used one that is not what it should be, with the reason', () => {
    const run = flow('{kind: text, ref: cards/a}', SET);
    run.answer({ text: 'old', note: 'an old copy, from yesterday' });
    expect(run.rows).toEqual(['use:degraded', 'again:degraded']);
    expect(run.row('use').reason).toBe('an old copy, from yesterday');
  });

  it('fails the step when it cannot be had, and the policy of the step decides', () => {
    const run = flow(
      '{kind: text, ref: cards/a}',
      SET.replace('name: use,', 'name: use, on_error: continue,'),
    );
    run.answer({ status: 'error', error: { code: 'ASSET_UNAVAILABLE', message: 'the shelf is empty' } });
    expect(run.rows).toEqual(['use:error', 'again:error']);
    expect(run.outcome?.error?.message).toBe('step "again": the shelf is empty');
  });

  it('refuses one that would be read from a server outside the radius, and asks for nothing', () => {
    const run = flow('{kind: text, source: mcp, ref: "vault:read"}', SET);
    expect(run.open).toEqual([]);
    expect(run.outcome?.error).toMatchObject({ code: 'RADIUS_REFUSED' });
    expect(run.outcome?.error?.message).toContain('"vault" is outside the radius');
  });
});
