import {
  type Config,
  type JsonObject,
  parseDurationMs,
  type ServerConfig,
  SkillyardError,
  type ToolEffect,
} from '@skillyard/contracts';
import { namesHint } from '../near-names.ts';
import { type ConnectionOptions, ServerConnection } from './server-connection.ts';
import type { ListedTool, ToolServer } from './tool-server.ts';

/** A tool a model may be told of. */
export interface ToolDescription {
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
  /** What a model that may call it is told before the conversation. */
  readonly guide?: string;
}

/** Where the model executor learns of tools. A worker that holds no connections may be given another one. */
export interface ToolCatalog {
  /** The tools of these servers, in this order. */
  describeTools(servers: readonly string[], signal: AbortSignal): Promise<readonly ToolDescription[]>;
}

/** How long a call may take when neither the configuration nor the step says. */
const DEFAULT_CALL_TIMEOUT_MS = 60_000;

/**
 * The effect of a tool as far as the configuration alone knows it; undefined when only the server could tell.
 * Per tool wins over per server. An effect that nobody declared is `once`.
 */
export function configuredEffect(server: ServerConfig | undefined, tool: string): ToolEffect | undefined {
  const declared =
    server?.effects === undefined || !Object.hasOwn(server.effects, tool) ? undefined : server.effects[tool];
  if (declared !== undefined) return declared;
  if (server?.effect !== undefined) return server.effect;
  return server?.trusted === true ? undefined : 'once';
}

/** Every tool server of the configuration, and the built-in one. Each is connected to on its first use. */
export class ToolServers implements ToolCatalog {
  readonly #configs: Readonly<Record<string, ServerConfig>>;
  readonly #servers: ReadonlyMap<string, ToolServer>;

  /** @param builtin the server named `builtin`, which no configuration can replace */
  constructor(config: Config, builtin: ToolServer, options: ConnectionOptions) {
    this.#configs = config.servers ?? {};
    const connections = Object.entries(this.#configs).map(
      ([name, server]) => [name, new ServerConnection(name, server, options)] as const,
    );
    this.#servers = new Map<string, ToolServer>([...connections, ['builtin', builtin]]);
  }

  /** @throws SkillyardError SERVER_UNKNOWN when the configuration does not have it */
  server(name: string): ToolServer {
    const server = this.#servers.get(name);
    if (server !== undefined) return server;
    throw new SkillyardError(
      'SERVER_UNKNOWN',
      `There is no tool server "${name}" in the configuration. Add it under servers:, or correct the name. ${namesHint(name, [...this.#servers.keys()], 'servers')}`,
      { details: { server: name, sent: false } },
    );
  }

  /** How long a call to this server may take. */
  callTimeoutMs(name: string): number {
    const text = this.#config(name)?.timeout;
    return (text === undefined ? undefined : parseDurationMs(text)) ?? DEFAULT_CALL_TIMEOUT_MS;
  }

  /** @throws SkillyardError TOOL_UNKNOWN, after asking the server once more, with the names that are near */
  async tool(server: string, tool: string, signal: AbortSignal): Promise<ListedTool> {
    const connection = this.server(server);
    const find = (tools: readonly ListedTool[]): ListedTool | undefined =>
      tools.find((listed) => listed.name === tool);
    const known = find(await connection.tools(signal));
    if (known !== undefined) return known;
    connection.forgetTools();
    const tools = await connection.tools(signal);
    const found = find(tools);
    if (found !== undefined) return found;
    throw new SkillyardError(
      'TOOL_UNKNOWN',
      `The tool server "${server}" has no tool "${tool}". ${namesHint(
        tool,
        tools.map((listed) => listed.name),
        'tools',
      )}`,
      { details: { server, sent: false } },
    );
  }

  async describeTools(servers: readonly string[], signal: AbortSignal): Promise<readonly ToolDescription[]> {
    const lists = await Promise.all(
      servers.map(async (server) => {
        const tools = await this.server(server).tools(signal);
        return tools.map((tool) => ({
          server,
          tool: tool.name,
          description: tool.description,
          inputSchema: tool.inputSchema,
          readOnly: this.#effect(server, tool) === 'read',
          ...(tool.guide !== undefined && { guide: tool.guide }),
        }));
      }),
    );
    return lists.flat();
  }

  /**
   * What a repeat of a call may do: as configured, else as a trusted server says, else `once`.
   * A server that cannot be asked leaves it at `once`: a repeat that should not have been is the worse failure.
   */
  async effectOf(server: string, tool: string, signal: AbortSignal): Promise<ToolEffect> {
    if (server === 'builtin') return 'read';
    const configured = configuredEffect(this.#config(server), tool);
    if (configured !== undefined) return configured;
    try {
      return this.#effect(server, await this.tool(server, tool, signal));
    } catch {
      return 'once';
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  #effect(server: string, tool: ListedTool): ToolEffect {
    if (server === 'builtin') return 'read';
    const configured = configuredEffect(this.#config(server), tool.name);
    if (configured !== undefined) return configured;
    if (tool.readOnlyHint) return 'read';
    return tool.idempotentHint ? 'idempotent' : 'once';
  }

  #config(name: string): ServerConfig | undefined {
    return Object.hasOwn(this.#configs, name) ? this.#configs[name] : undefined;
  }
}
