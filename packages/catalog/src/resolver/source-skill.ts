import type { Json, JsonObject } from '@skillyard/contracts';

/** Tools taken from an MCP server. */
export interface McpSource {
  readonly server: string;
  /** null: the skill names no tools, which leaves it to the server what there is. */
  readonly tools: readonly string[] | null;
}

/** A skill as the resolver sees it: its name, and where its tools come from. */
export interface SourceSkill {
  readonly name: string;
  /** What the lookup is asked for, in this order. */
  readonly includes: readonly string[];
  readonly toolRefs: readonly string[];
  /** Definitions, kept as they are. */
  readonly inlineTools: readonly JsonObject[];
  readonly mcpSources: readonly McpSource[];
  readonly agentSkills: readonly string[];
  readonly overrides: Readonly<Record<string, JsonObject>>;
}

/** Finds an included skill; undefined when there is none of this name. Asked for one name it always says the same. */
export type SkillLookup = (name: string) => SourceSkill | undefined;

/**
 * Reads the header keys `includes`, `tool_refs`, `inline_tools`, `mcp_sources`, `agent_skills` and `overrides`.
 * Whatever does not have their shape is taken for absent: loading a skill has refused it before.
 * @param sources the keys, as far as the skill has them
 */
export function readSources(name: string, sources: JsonObject): SourceSkill {
  return {
    name,
    includes: objects(sources['includes']).map((include) => text(include['skill'])),
    toolRefs: texts(sources['tool_refs']) ?? [],
    inlineTools: objects(sources['inline_tools']),
    mcpSources: objects(sources['mcp_sources']).map((source) => ({
      server: text(source['server']),
      tools: texts(source['tools']),
    })),
    agentSkills: texts(sources['agent_skills']) ?? [],
    overrides: recordOfObjects(sources['overrides']),
  };
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: Json | undefined): readonly string[] | null {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function recordOfObjects(value: Json | undefined): Readonly<Record<string, JsonObject>> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
  return Object.fromEntries(entries);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
