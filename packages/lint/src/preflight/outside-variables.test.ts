import { loadSkill } from '@skillyard/engine';
import { describe, expect, it } from 'vitest';
import { outsideVariables } from './outside-variables.ts';

function outsideOf(steps: string, vars = '{}'): readonly string[] {
  const { skill } = loadSkill(
    `skill_engine_version: "2.4.1"\nname: s\ndescription: d\nworkflow:\n  tools: []\n  vars: ${vars}\n  steps:\n${steps}`,
  );
  if (skill?.workflow == null) throw new Error('the skill of this test does not load');
  return outsideVariables(skill.workflow);
}

describe('outsideVariables', () => {
  it('are those that are read before anything writes them, in their order', () => {
    const steps = `
    - {instruction: "About {{b}} and {{a}}.", save_as: c}
    - {instruction: "Again {{c}} and {{a}}."}
    - {set: {var: d, value: "{{d}}"}}
`;
    expect(outsideOf(steps)).toEqual(['b', 'a', 'd']);
  });

  it('are not those that the flow gives a value', () => {
    expect(outsideOf('    - {instruction: "{{a}}"}\n', '{a: here}')).toEqual([]);
  });

  it('are not those that a loop sets for its steps, but the list it walks', () => {
    const steps = `
    - for_each:
        in: items
        as: one
        steps: [{instruction: "{{one}} of {{items}}"}]
`;
    expect(outsideOf(steps)).toEqual(['items']);
  });
});
