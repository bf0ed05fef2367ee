import type { Config, JsonObject, LintFacts, ServerConfig } from '@skillyard/contracts';
import { ALWAYS_OFFERED } from './linter-words.ts';

/** The server of the tools that come with us. */
export const BUILTIN = 'builtin';

/** A tool as its server describes it. */
export interface KnownTool {
  readonly server: string;
  readonly tool: string;
  readonly inputSchema: JsonObject;
  /** Its server says that it changes nothing. */
  readonly readOnly: boolean;
}

/**
 * What is known of an installation, for the linter. Nothing is guessed.
 * @param config   null when there is none: then nobody knows which servers there are, and nothing is said of them
 * @param byServer the tools of each server that told of them
 */
export function installationFacts(
  config: Config | null,
  byServer: ReadonlyMap<string, readonly KnownTool[]>,
): LintFacts {
  const listed = (byServer.get(BUILTIN) ?? []).map(({ tool }) => tool);
  const builtinTools = [...new Set([...ALWAYS_OFFERED, ...listed])];
  if (config === null) return { builtin_tools: builtinTools };
  const servers = Object.entries(config.servers ?? {});
  const answered = [...byServer].filter(([server]) => server !== BUILTIN);
  const schemas = answered
    .flatMap(([, tools]) => tools)
    .map(({ server, tool, inputSchema }) => [`${server}:${tool}`, inputSchema] as const);
  return {
    builtin_tools: builtinTools,
    server_names: servers.map(([name]) => name),
    write_servers: servers
      .filter(([name, server]) => writes(server, byServer.get(name)))
      .map(([name]) => name),
    ...(answered.length > 0 && {
      all_tools: Object.fromEntries(answered.map(([name, tools]) => [name, tools.map(({ tool }) => tool)])),
      tool_schemas: Object.fromEntries(schemas),
    }),
  };
}

/** Whether a server may change something: yes, unless all of its tools are known to do nothing but read. */
function writes(server: ServerConfig, tools: readonly KnownTool[] | undefined): boolean {
  if (tools !== undefined) return tools.some(({ readOnly }) => !readOnly);
  return server.effect !== 'read' || Object.values(server.effects ?? {}).some((effect) => effect !== 'read');
}
