import type { JsonObject } from '@skillyard/contracts';
import type { ResolvedEntry } from './contributions.ts';
import type { SourceSkill } from './source-skill.ts';

/** What the tools of a resolved skill can do, as far as they say so. */
export interface CapabilitySummary {
  readonly totalTools: number;
  /** Inline tools that declare `read_only: true`. */
  readonly readOnlyCount: number;
  /** The other inline tools: a tool that says nothing may write. */
  readonly writeCount: number;
  readonly checkpointableCount: number;
  /** Whether any inline tool declares `side_effects: true`. */
  readonly hasSideEffects: boolean;
  /** Servers the skill itself declares, with or without a list of tools. */
  readonly mcpSourceCount: number;
  /** Paths the skill itself declares, repeated ones counted. */
  readonly agentSkillCount: number;
}

/**
 * Counts what resolved tools say of themselves. Inline tools of included skills count, replaced ones do not.
 * @param skill   the skill that was resolved
 * @param entries what it came to
 */
export function summarizeCapabilities(
  skill: SourceSkill,
  entries: readonly ResolvedEntry[],
): CapabilitySummary {
  const inline = entries.flatMap(({ origin }) => (origin.kind === 'inline' ? [origin.tool] : []));
  const count = (capability: string): number => inline.filter((tool) => declares(tool, capability)).length;
  const readOnlyCount = count('read_only');
  return {
    totalTools: entries.length,
    readOnlyCount,
    writeCount: inline.length - readOnlyCount,
    checkpointableCount: count('checkpointable'),
    hasSideEffects: count('side_effects') > 0,
    mcpSourceCount: skill.mcpSources.length,
    agentSkillCount: skill.agentSkills.length,
  };
}

function declares({ capabilities }: JsonObject, capability: string): boolean {
  if (typeof capabilities !== 'object' || capabilities === null || Array.isArray(capabilities)) return false;
  return Object.hasOwn(capabilities, capability) && capabilities[capability] === true;
}
