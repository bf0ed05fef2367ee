import type { JsonObject } from '@skillyard/contracts';

/** The keys under which a skill names servers, its own or those of other skills. */
const NAMES_SERVERS = ['includes', 'tool_refs', 'mcp_sources'];
/** The keys under which tools come from elsewhere. `overrides` only says more about them. */
const SOURCES = [...NAMES_SERVERS, 'inline_tools', 'agent_skills'];

/** Whether a header says where tools come from (spec section 17). */
export function hasSources(sources: JsonObject): boolean {
  return SOURCES.some((key) => Object.hasOwn(sources, key));
}

/**
 * Whether the sources of a header bound what its turns may reach. Tools defined in the file and folders of prose have
 * no server, so a skill that has only those goes on reaching what it lists.
 */
export function boundsRadius(sources: JsonObject): boolean {
  return NAMES_SERVERS.some((key) => Object.hasOwn(sources, key));
}
