export { type CapabilitySummary, summarizeCapabilities } from './resolver/capability-summary.ts';
export type { EntryOrigin, ResolvedEntry } from './resolver/contributions.ts';
export type { MissingInclude } from './resolver/include-graph.ts';
export { resolveRadius } from './resolver/resolve-radius.ts';
export { type ResolvedTools, resolveTools } from './resolver/resolve-tools.ts';
export { type McpSource, readSources, type SkillLookup, type SourceSkill } from './resolver/source-skill.ts';
export {
  type ActivatableSkill,
  activateSkill,
  type Activation,
  activationTool,
  type ActivationTool,
} from './agent-skills/activation.ts';
export type { AgentSkill, SkillResources } from './agent-skills/agent-skill.ts';
export { AgentSkills } from './agent-skills/agent-skills.ts';
export { catalogSkills, catalogText, type CatalogOptions } from './agent-skills/catalog-text.ts';
export { findSkillFolders } from './agent-skills/find-skill-folders.ts';
export { filterSkills } from './agent-skills/filter-skills.ts';
export { loadAgentSkills } from './agent-skills/load-agent-skills.ts';
export { loadResources } from './agent-skills/load-resources.ts';
export type { LoaderPlace } from './agent-skills/search-paths.ts';
export { validateSkillFolder } from './agent-skills/validate-skill-folder.ts';
export { readRegularFile } from './file/read-regular-file.ts';
export { replaceFile } from './file/replace-file.ts';
export { SkillStore } from './store/skill-store.ts';
export { skillHash, type SkillVersion, type StoredSkill } from './store/skill-version.ts';
