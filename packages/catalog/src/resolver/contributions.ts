import type { JsonObject } from '@skillyard/contracts';
import type { SourceSkill } from './source-skill.ts';

/** Where an entry comes from, as its skill declares it. */
export type EntryOrigin =
  | { readonly kind: 'tool_ref' }
  | { readonly kind: 'inline'; readonly tool: JsonObject }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'agent_skill'; readonly path: string };

/** One tool, or one source of tools, of a resolved skill. */
export interface ResolvedEntry {
  /** The name of a tool ref or an inline tool, `mcp:<server>/<tool>`, or `agent_skill:<path>`. */
  readonly name: string;
  /** Name of the skill that contributed it last. */
  readonly sourceSkill: string;
  readonly origin: EntryOrigin;
  /** What that skill says about the tool; empty when nothing. Attached, and not interpreted. */
  readonly overrides: JsonObject;
}

/** What a skill itself contributes, in the order of the specification; what it includes is not among it. */
export function* contributionsOf(skill: SourceSkill): Generator<ResolvedEntry> {
  const entry = (name: string, origin: EntryOrigin, overrides: JsonObject = {}): ResolvedEntry => ({
    name,
    sourceSkill: skill.name,
    origin,
    overrides,
  });
  for (const ref of skill.toolRefs) {
    const own = Object.hasOwn(skill.overrides, ref) ? skill.overrides[ref] : undefined;
    yield entry(ref, { kind: 'tool_ref' }, own);
  }
  for (const [index, tool] of skill.inlineTools.entries()) {
    const { name } = tool;
    // Without a name it is called by its place in the list, named tools counted.
    const key = typeof name === 'string' && name !== '' ? name : `${skill.name}/_anon_${index}`;
    yield entry(key, { kind: 'inline', tool });
  }
  for (const { server, tools } of skill.mcpSources) {
    for (const tool of tools ?? []) yield entry(`mcp:${server}/${tool}`, { kind: 'mcp', server, tool });
  }
  for (const path of skill.agentSkills) yield entry(`agent_skill:${path}`, { kind: 'agent_skill', path });
}
