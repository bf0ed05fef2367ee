import { BUILTIN, isGiven } from '../given.ts';
import { listed } from '../listed.ts';
import { headerPosition, type SkillCheck } from '../subject.ts';

/** E1: a header server that is not registered. */
export const checkE1: SkillCheck = ({ skill, facts }, report) => {
  const servers = new Set(skill.servers.filter((server) => server !== BUILTIN));
  if (servers.size === 0) return;
  if (!isGiven(facts.serverNames)) {
    report.skip('server_names');
    return;
  }
  const registered = new Set(facts.serverNames);
  for (const server of servers) {
    if (registered.has(server)) continue;
    report.add({
      position: headerPosition(skill, 'servers'),
      message: `The server "${server}" in \`servers\` is not registered.`,
      hint: `Register it, or name one that is: ${listed(facts.serverNames)}.`,
    });
  }
};
