export { type CapabilitySummary, summarizeCapabilities } from './resolver/capability-summary.ts';
export type { EntryOrigin, ResolvedEntry } from './resolver/contributions.ts';
export type { MissingInclude } from './resolver/include-graph.ts';
export { type ResolvedTools, resolveTools } from './resolver/resolve-tools.ts';
export { type McpSource, readSources, type SkillLookup, type SourceSkill } from './resolver/source-skill.ts';
export { SkillStore } from './store/skill-store.ts';
export { skillHash, type StoredSkill } from './store/skill-version.ts';
