import { isGiven } from '../given.ts';
import { headerPosition, type SkillCheck } from '../subject.ts';

/** E3: a read-only role with a server that writes. An empty list of such servers is an answer (spec section 15). */
export const checkE3: SkillCheck = ({ skill, facts, options }, report) => {
  if (!isGiven(options.readOnlyRoles) || !options.readOnlyRoles.includes(skill.role)) return;
  if (skill.servers.length === 0) return;
  if (facts.writeServers === undefined) {
    report.skip('write_servers');
    return;
  }
  const writing = new Set(facts.writeServers);
  for (const server of new Set(skill.servers)) {
    if (!writing.has(server)) continue;
    report.add({
      position: headerPosition(skill, 'servers'),
      message: `The role "${skill.role}" only reads, and the server "${server}" writes.`,
      hint: `Take "${server}" out of \`servers\`, or give the skill another \`role\`.`,
    });
  }
};
