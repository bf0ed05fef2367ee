import { describe, expect, it } from 'vitest';
import { declaredTools } from './declared-tools.ts';
import { loadSkill } from './load-skill.ts';

function toolsOf(workflow: string): readonly string[] {
  const { skill } = loadSkill(`skill_engine_version: 2.5.0\nname: a\ndescription: d\nworkflow: ${workflow}`);
  const tools = skill?.workflow ? declaredTools(skill.workflow) : [];
  return tools.map(({ server, tool, dynamic }) => `${server}:${tool}${dynamic ? '?' : ''}`);
}

describe('declaredTools', () => {
  it('leaves out what a step lists and the flow does not: a step never widens the radius', () => {
    expect(toolsOf('{tools: [mill], steps: [{instruction: x, tools: [vault, mill]}]}')).toEqual(['mill:']);
    expect(toolsOf('{steps: [{instruction: x, tools: [vault]}, {instruction: x}]}')).toEqual([]);
  });

  it('names the server that on_server names, and marks one that is computed', () => {
    expect(
      toolsOf(
        '{tools: [a, b], steps: [{instruction: x, on_server: b}, {instruction: x, on_server: "{{s}}"}]}',
      ),
    ).toEqual(['b:', 'a:?', 'b:?']);
  });
});
