import { resolveRadius, type StoredSkill } from '@skillyard/catalog';
import { compileProgram, type Skill, splitToolRef } from '@skillyard/engine';

/**
 * A skill as its turns would be bounded if they started now: its lists of servers are what its sources leave of them, or
 * give where it has none. Single tools count as their server, so that more is said to be reached than less.
 * @param read finds a skill that is included
 * @throws SkillyardError as `resolveRadius`
 */
export async function withResolvedServers(
  skill: Skill,
  read: (name: string) => Promise<Pick<StoredSkill, 'name' | 'hash' | 'skill'>>,
): Promise<Skill> {
  const radius = await resolveRadius(compileProgram(skill), read);
  if (radius === undefined || radius.tools === null) return skill;
  const reached = new Set(radius.tools.map((entry) => splitToolRef(entry)?.server ?? entry));
  const bounded = (listed: readonly string[]): string[] =>
    listed.filter((server) => server === 'builtin' || reached.has(server));
  const { workflow, servers } = skill;
  return {
    ...skill,
    sources: {},
    servers: servers.length === 0 ? [...reached] : bounded(servers),
    workflow: workflow && {
      ...workflow,
      tools: workflow.tools === null ? [...reached] : bounded(workflow.tools),
    },
  };
}
