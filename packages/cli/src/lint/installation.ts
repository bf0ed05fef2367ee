import type { LintFacts, ServerConfig } from '@skillyard/contracts';
import type { ToolDescription } from '@skillyard/executors';
import { createSkillFinder, type LoadedConfig } from '@skillyard/runtime';
import type { Surroundings } from '../surroundings.ts';
import { ALWAYS_OFFERED } from './linter-words.ts';
import { listTools, type LiveTools, type UnreachedServer } from './live-tools.ts';

/** Where facts come from besides the configuration. */
export interface FactSources {
  /** Of `--facts`: each of them wins over what was found out. */
  readonly given: LintFacts;
  /** `--live`: the tool servers are asked for their tools. */
  readonly live: boolean;
}

/**
 * What is known of the installations that skills are linted for: one per configuration, each looked at once.
 * Nothing is guessed. Without a configuration file nobody knows which servers there are, so nothing is said of them.
 */
export class Installations {
  readonly #sources: FactSources;
  readonly #surroundings: Surroundings;
  readonly #byConfig = new Map<
    string | null,
    Promise<{ facts: LintFacts; unreached: readonly UnreachedServer[] }>
  >();
  readonly #skillNames = new Map<string, Promise<readonly string[]>>();

  constructor(sources: FactSources, surroundings: Surroundings) {
    this.#sources = sources;
    this.#surroundings = surroundings;
  }

  /**
   * The facts for skills of a folder.
   * @throws SkillyardError FILE_UNREADABLE when a folder of skills cannot be read
   */
  async facts(loaded: LoadedConfig, folder: string): Promise<LintFacts> {
    const { facts } = await this.#look(loaded);
    const { given } = this.#sources;
    // Where a delegate step looks as well: docs/cli.md, "run".
    const skillNames = given.skill_names ?? (await this.#names([...(loaded.config.skills ?? []), folder]));
    return { ...facts, skill_names: [...skillNames], ...given };
  }

  /** The servers that could not be asked, of all installations so far. */
  async unreached(): Promise<readonly UnreachedServer[]> {
    const looked = await Promise.all(this.#byConfig.values());
    return looked.flatMap(({ unreached }) => unreached);
  }

  #look(loaded: LoadedConfig): Promise<{ facts: LintFacts; unreached: readonly UnreachedServer[] }> {
    let found = this.#byConfig.get(loaded.file);
    if (found === undefined) {
      const servers = this.#sources.live ? Object.keys(loaded.config.servers ?? {}) : [];
      found = listTools([...servers, BUILTIN], loaded, this.#surroundings).then((tools) => ({
        facts: installationFacts(loaded, tools),
        unreached: tools.unreached,
      }));
      this.#byConfig.set(loaded.file, found);
    }
    return found;
  }

  #names(folders: readonly string[]): Promise<readonly string[]> {
    const key = folders.join('\0');
    let names = this.#skillNames.get(key);
    if (names === undefined) this.#skillNames.set(key, (names = createSkillFinder(folders).names()));
    return names;
  }
}

/** The server of the tools that come with us. */
const BUILTIN = 'builtin';

function installationFacts({ config, file }: LoadedConfig, { byServer }: LiveTools): LintFacts {
  const listed = (byServer.get(BUILTIN) ?? []).map(({ tool }) => tool);
  const builtinTools = [...new Set([...ALWAYS_OFFERED, ...listed])];
  if (file === null) return { builtin_tools: builtinTools };
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
function writes(server: ServerConfig, tools: readonly ToolDescription[] | undefined): boolean {
  if (tools !== undefined) return tools.some(({ readOnly }) => !readOnly);
  return server.effect !== 'read' || Object.values(server.effects ?? {}).some((effect) => effect !== 'read');
}
