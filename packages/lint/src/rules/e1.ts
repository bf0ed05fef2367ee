import { quoted } from '@skillyard/engine';
import { isGiven } from '../given.ts';
import { headerServers } from '../header-servers.ts';
import { listed } from '../listed.ts';
import { headerPosition, type SkillCheck } from '../subject.ts';

/** E1: a header server that is not registered. */
export const checkE1: SkillCheck = ({ skill, facts }, report) => {
  const servers = headerServers(skill);
  if (servers.size === 0) return;
  if (!isGiven(facts.serverNames)) {
    report.skip('server_names');
    return;
  }
  const registered = new Set(facts.serverNames);
  for (const [server, key] of servers) {
    if (registered.has(server)) continue;
    report.add({
      position: headerPosition(skill, key),
      message: `The server ${quoted(server)} of the header is not registered.`,
      hint: `Register it, or name one that is: ${listed(facts.serverNames)}.`,
    });
  }
};
