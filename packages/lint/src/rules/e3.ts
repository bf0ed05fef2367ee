import { quoted } from '@skillyard/engine';
import { isGiven } from '../given.ts';
import { headerServers } from '../header-servers.ts';
import { headerPosition, type SkillCheck } from '../subject.ts';

/** E3: a read-only role with a server that writes. An empty list of such servers is an answer (spec section 15). */
export const checkE3: SkillCheck = ({ skill, facts, options }, report) => {
  if (!isGiven(options.readOnlyRoles) || !options.readOnlyRoles.includes(skill.role)) return;
  const servers = headerServers(skill);
  if (servers.size === 0) return;
  if (facts.writeServers === undefined) {
    report.skip('write_servers');
    return;
  }
  const writing = new Set(facts.writeServers);
  for (const [server, key] of servers) {
    if (!writing.has(server)) continue;
    report.add({
      position: headerPosition(skill, key),
      message: `The role ${quoted(skill.role)} only reads, and the server ${quoted(server)} writes.`,
      hint: `Take ${quoted(server)} out of the header, or give the skill another \`role\`.`,
    });
  }
};
