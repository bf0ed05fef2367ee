import type { Skill } from '@skillyard/engine';
import { BUILTIN } from './given.ts';

/** The servers a header declares, each with the key that names it first: `servers` or `mcp_sources`. */
export function headerServers(skill: Skill): ReadonlyMap<string, string> {
  const sources = skill.sources['mcp_sources'];
  const named = (Array.isArray(sources) ? sources : []).flatMap((source) => {
    const server =
      typeof source === 'object' && source !== null && !Array.isArray(source) && source['server'];
    return typeof server === 'string' && server !== '' ? [server] : [];
  });
  const servers = new Map(named.map((server) => [server, 'mcp_sources']));
  for (const server of skill.servers) servers.set(server, 'servers');
  servers.delete(BUILTIN);
  return servers;
}

/** Whether other skills add to what the header declares, so that nobody knows all of it from this file. */
export function hasIncludes(skill: Skill): boolean {
  const { includes } = skill.sources;
  return Array.isArray(includes) && includes.length > 0;
}
