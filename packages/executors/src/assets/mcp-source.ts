import { type AssetJob, SkillyardError } from '@skillyard/contracts';
import { splitToolRef } from '@skillyard/engine';
import { checkArguments } from '../tools/argument-check.ts';
import type { ToolServers } from '../tools/tool-servers.ts';
import { unavailable, unavailableNow } from './asset-failure.ts';
import { tooLarge } from './bounded-text.ts';
import type { SourceReader } from './source-reader.ts';

const LONGEST_REASON = 500;
/** The server may be there, or answer, in a moment. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(['SERVER_UNAVAILABLE', 'TOOL_TIMEOUT']);

/**
 * `source: mcp`: what a tool answers, `ref: server:tool`.
 *
 * T1 Only a tool that does no harm when it is called again (`read` or `idempotent`): an asset is fetched when the
 *    runtime sees fit, more than once, and nobody sees the call in a trace.
 * T2 No built-in tool. They answer for one turn, and a copy would be handed to others.
 */
export class McpSource implements SourceReader {
  readonly #servers: ToolServers;
  readonly #maxBytes: number;

  constructor(servers: ToolServers, maxBytes: number) {
    this.#servers = servers;
    this.#maxBytes = maxBytes;
  }

  placeOf(): string {
    return '';
  }

  async read(job: AssetJob, signal: AbortSignal): Promise<string> {
    const what = `Asset "${job.name}" (${job.asset.ref})`;
    try {
      return await this.#read(what, job, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!SkillyardError.is(error) || error.code === 'ASSET_UNAVAILABLE') throw error;
      const message = `${what} cannot be had: ${error.message}`;
      throw TRANSIENT_CODES.has(error.code)
        ? unavailableNow(message, { cause: error })
        : unavailable(message, { cause: error });
    }
  }

  async #read(what: string, { name, asset, turnId }: AssetJob, signal: AbortSignal): Promise<string> {
    const { server, tool } = splitToolRef(asset.ref) ?? { server: '', tool: '' };
    if (server === '' || tool === '') {
      throw unavailable(`The ref of asset "${name}" names no tool. Write it as server:tool.`);
    }
    if (server === 'builtin') {
      throw unavailable(`${what} names a built-in tool; those answer steps. Name a tool of an MCP server.`);
    }
    const { inputSchema } = await this.#servers.tool(server, tool, signal);
    const effect = await this.#servers.effectOf(server, tool, signal);
    if (effect === 'once') {
      throw unavailable(
        `${what} would call a tool that must not be repeated, as far as the configuration knows. If it only reads, declare it: servers.${server}.effects.${tool}: read. Else use a call step.`,
      );
    }
    const checked = checkArguments(inputSchema, asset.args, true);
    if (!checked.ok) throw unavailable(`${what} has args that the tool does not take: ${checked.problem}.`);
    const timeoutMs = this.#servers.callTimeoutMs(server);
    const answer = await this.#servers.server(server).call(tool, checked.args, { timeoutMs, signal, turnId });
    if (answer.failed) {
      const reason = answer.text.trim().slice(0, LONGEST_REASON);
      throw unavailable(`${what}: the tool failed: ${reason === '' ? 'it gave no reason' : reason}`);
    }
    const bytes = Buffer.byteLength(answer.text, 'utf8');
    if (bytes > this.#maxBytes) throw tooLarge(what, `${bytes} bytes`, this.#maxBytes);
    return answer.text;
  }
}
