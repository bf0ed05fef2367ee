import { contributionsOf, type ResolvedEntry } from './contributions.ts';
import { type MissingInclude, walkIncludes } from './include-graph.ts';
import type { SkillLookup, SourceSkill } from './source-skill.ts';

/** The tools of a skill and of everything it includes. */
export interface ResolvedTools {
  /** Tools of deeper includes first, those of the skill itself last; a name stands once. */
  readonly entries: readonly ResolvedEntry[];
  /** Includes that led nowhere. They are skipped. */
  readonly missing: readonly MissingInclude[];
  /** Servers that some skill names without naming tools, which gives no entry; each once. */
  readonly wholeServers: readonly string[];
  /** Names of the skills that were included, each once, deepest first. */
  readonly included: readonly string[];
}

/**
 * Flattens the tools of a skill: those of its includes, depth first and in order, then its own refs, inline tools, MCP
 * tools and agent skills. Of two entries of one name the later one counts, in the place of the earlier one. Pure; each
 * skill is visited once, however often it is included.
 * @param skill  what is resolved; the lookup need not know it
 * @param lookup finds the skills that are included
 * @throws SkillyardError INCLUDE_CYCLE
 */
export function resolveTools(skill: SourceSkill, lookup: SkillLookup): ResolvedTools {
  const { finished, backward, missing } = walkIncludes(skill, lookup);
  const last = new Map<string, ResolvedEntry>();
  for (const source of backward) {
    for (const entry of [...contributionsOf(source)].toReversed()) {
      if (!last.has(entry.name)) last.set(entry.name, entry);
    }
  }
  const names = new Set(finished.flatMap((source) => [...contributionsOf(source)].map(({ name }) => name)));
  const wholeServers = finished.flatMap(({ mcpSources }) =>
    mcpSources.filter(({ tools }) => tools === null).map(({ server }) => server),
  );
  return {
    entries: [...names].flatMap((name) => last.get(name) ?? []),
    missing,
    wholeServers: [...new Set(wholeServers)],
    included: [...new Set(finished.slice(0, -1).map(({ name }) => name))],
  };
}
