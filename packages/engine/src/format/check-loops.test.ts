import { describe, expect, it } from 'vitest';
import { loadSkill } from './load-skill.ts';

const load = (body: string) =>
  loadSkill(`skill_engine_version: "2.5.0"
name: loops
description: Loops.
workflow:
  tools: [srv]
  steps:
    - name: each
      for_each:
        in: rows
        as: row
        concurrency: 4
        collect: out
        steps:
          ${body}
`);

describe('for_each.concurrency', () => {
  it('is refused with LOOP_NOT_INDEPENDENT where an iteration may read what another wrote, naming the variable', () => {
    const loaded = load('- {set: {var: total, value: "{{total}}+{{row}}"}}');
    expect(loaded.skill).toBeNull();
    expect(loaded.diagnostics).toMatchObject([
      { code: 'LOOP_NOT_INDEPENDENT', position: { line: 11, column: 9 }, step: 'each' },
    ]);
    expect(loaded.diagnostics[0]?.message).toContain('"total"');
  });

  it('is accepted where every iteration writes first what it reads', () => {
    expect(
      load('- {set: {var: total, value: "{{row}}"}}\n          - {set: {var: out, value: "{{total}}"}}')
        .skill,
    ).not.toBeNull();
  });
});
