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

  describe('whose args hold variables', () => {
    const argsOf = ({ open }: Drive): unknown =>
      open.map((job) => (job.kind === 'asset' ? job.asset.args : job.kind));
    const templated = (args: string, steps: string, vars: Record<string, string> = {}): Drive =>
      new Drive(
        `tools: [desk]\nassets: {card: {source: mcp, ref: "desk:find", args: ${args}}}\nsteps:\n${steps}`,
        { vars },
      );
    const ASK = '  - {name: use, set: {var: a, value: "<{{asset:card}}>"}}\n';

    it('is asked for with their values put in, however deep, and nothing else changed', () => {
      const args = '{topic: "about {{q}}", deep: [{n: 2, t: "{{q.k}}"}], missing: "{{nobody}}"}';
      const run = templated(args, ASK, { q: '{"k":"v"}' });
      expect(argsOf(run)).toEqual([{ topic: 'about {"k":"v"}', deep: [{ n: 2, t: 'v' }], missing: '' }]);
      run.answer({ text: 'hello' });
      expect(run.outcome?.vars).toEqual({ a: '<hello>' });
    });

    it('is another asset with other values, and the same one with the same', () => {
      const again = ASK.replaceAll('use', 'again').replace('var: a', 'var: b');
      const change = '  - {set: {var: q, value: other}}\n';
      const last = ASK.replaceAll('use', 'last').replace('var: a', 'var: c');
      const run = templated('{topic: "{{q}}"}', ASK + again + change + last, { q: 'first' });
      const first = run.open.map(({ id }) => id);
      expect(first).toEqual([expect.stringMatching(/^t\.a0\.[0-9a-f]{16}$/)]);
      run.answer({ text: 'one' });
      expect(argsOf(run)).toEqual([{ topic: 'other' }]);
      expect(run.open.map(({ id }) => id)).not.toEqual(first);
      run.answer({ text: 'two' });
      expect(run.outcome?.vars).toEqual({ a: '<one>', b: '<one>', q: 'other', c: '<two>' });
    });

    it('is asked for once by iterations that run at once and need the same', () => {
      const run = templated(
        '{topic: "{{item.t}}"}',
        '  - for_each:\n      in: rows\n      as: item\n      collect: all\n      steps:\n        - {instruction: "{{asset:card}}", tools: [], save_as: all}',
        { rows: '[{"t":"x"},{"t":"y"},{"t":"x"}]' },
      );
      expect(argsOf(run)).toEqual([{ topic: 'x' }, { topic: 'y' }]);
      const instructions: string[] = [];
      run.answerAll((job) => {
        if (job.kind === 'asset') return { text: JSON.stringify(job.asset.args) };
        if (job.kind === 'generate') instructions.push(job.instruction);
        return { text: 'ok' };
      });
      expect(instructions.toSorted()).toEqual(['{"topic":"x"}', '{"topic":"x"}', '{"topic":"y"}']);
    });

    it('is asked for with whole values, and degrades the step when only a fragment could be read', () => {
      const vars = { q: 'begin…\n[mem:h1]' };
      const whole = templated('{topic: "{{q}}"}', ASK, vars);
      expect(whole.open).toMatchObject([{ kind: 'memory', handle: 'h1' }]);
      whole.answer({ text: 'begin and end' });
      expect(argsOf(whole)).toEqual([{ topic: 'begin and end' }]);
      whole.answer({ text: 'hello' });
      expect(whole.rows).toEqual(['use:ok']);

      const part = templated('{topic: "{{q}}"}', ASK, vars);
      part.answer({ status: 'empty' });
      expect(argsOf(part)).toEqual([{ topic: 'begin' }]);
      part.answer({ text: 'hello' });
      expect(part.row('use')).toMatchObject({
        outcome: 'degraded',
        reason: 'the whole value of "q" could not be read: asset "card" was asked for with a fragment',
      });
    });

    it('fails the step that needs it when a path leads nowhere, and asks for nothing', () => {
      const run = templated('{topic: "{{q.k[3]}}"}', ASK, { q: '{"k":[1]}' });
      expect(run.open).toEqual([]);
      expect(run.outcome?.error).toMatchObject({ code: 'REFERENCE_UNRESOLVED' });
    });

    it('fails with ASSET_UNAVAILABLE when they name an asset', () => {
      for (const args of ['{a: "{{asset:card}}"}', '{a: {from: "asset:card"}}']) {
        const run = templated(args, ASK);
        expect(run.open).toEqual([]);
        expect(run.outcome?.error?.message).toContain('the args of asset "card" name asset "card"');
      }
    });

    it('makes the iterations of a loop depend on each other when they name what one writes and another reads', () => {
      const loop = (topic: string): Drive =>
        templated(
          `{topic: "{{${topic}}}"}`,
          '  - for_each:\n      in: rows\n      as: item\n      steps:\n' +
            '        - {name: look, instruction: "{{asset:card}}", tools: [], save_as: note}',
          { rows: '["x","y"]', note: 'n' },
        );
      expect(argsOf(loop('item'))).toEqual([{ topic: 'x' }, { topic: 'y' }]);
      const inOrder = loop('note');
      expect(argsOf(inOrder)).toEqual([{ topic: 'n' }]);
      const byReference = templated(
        '{topic: "{{note}}"}',
        '  - for_each:\n      in: rows\n      as: item\n      steps:\n' +
          '        - {call: {tool: "desk:put", args: {t: {from: "asset:card"}}, save_as: note}}',
        { rows: '["x","y"]', note: 'n' },
      );
      expect(argsOf(byReference)).toEqual([{ topic: 'n' }]);
    });

    it('has its args put together once, however often a text names it', () => {
      const args = `{topic: "${'long '.repeat(80_000)}{{q}}"}`;
      const run = templated(args, `  - {instruction: "${'{{asset:card}}'.repeat(30_000)}", tools: []}`);
      expect(run.open).toMatchObject([{ kind: 'asset' }]);
      run.answer({ text: 'x' });
      expect(run.open).toMatchObject([{ kind: 'generate', instruction: 'x'.repeat(30_000) }]);
    });

    it('leaves the args of a source that takes none as they are', () => {
      const run = flow('{kind: text, ref: cards/a, args: {x: "{{q}}"}}', SET);
      expect(run.open).toMatchObject([{ id: 't.a0', asset: { args: { x: '{{q}}' } } }]);
    });
  });

  it('refuses one that would be read from a server outside the radius, and asks for nothing', () => {
    const run = flow('{kind: text, source: mcp, ref: "vault:read"}', SET);
    expect(run.open).toEqual([]);
    expect(run.outcome?.error).toMatchObject({ code: 'RADIUS_REFUSED' });
    expect(run.outcome?.error?.message).toContain('"vault" is outside the radius');
  });
});
