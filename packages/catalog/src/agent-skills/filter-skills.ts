import type { AgentSkill } from './agent-skill.ts';

/**
 * Skills of a name that have all tags, in the order given.
 * @param name `''` for any
 * @param tags compared exactly
 */
export function filterSkills(
  skills: readonly AgentSkill[],
  name: string,
  ...tags: readonly string[]
): readonly AgentSkill[] {
  return skills.filter(
    (skill) => (name === '' || skill.name === name) && tags.every((tag) => skill.tags.includes(tag)),
  );
}
