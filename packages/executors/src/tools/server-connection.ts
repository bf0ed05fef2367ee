import { Client, type Tool } from '@modelcontextprotocol/client';
import { type JsonObject, type ServerConfig, SkillyardError } from '@skillyard/contracts';
import type { Environment } from '../redaction.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { isSessionLost, isTimeout } from './error-kind.ts';
import { callFailure, garbled, type ServerFacts, startFailure } from './server-failure.ts';
import { openTransport, serverFacts, type ServerTransport } from './server-transport.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { ListedTool, ToolAnswer, ToolCallOptions, ToolServer } from './tool-server.ts';
import { toolText } from './tool-text.ts';

/** How long a server may take to start and shake hands. Programs started through npx take seconds. */
const CONNECT_TIMEOUT_MS = 30_000;
const PING_TIMEOUT_MS = 2000;

interface Session {
  readonly client: Client;
  readonly transport: ServerTransport;
  tools: Promise<readonly ListedTool[]> | undefined;
  readonly calls: Set<(error: Error) => void>;
}

export interface ConnectionOptions {
  readonly env: Environment;
  /** Relative paths of the configuration start here. */
  readonly baseDir: string;
  readonly connectTimeoutMs?: number;
}

/**
 * One MCP server of the configuration.
 *
 * It is connected to on the first use, and again on the first use after it has died. All callers share the
 * connection; the one that gives up does not take it from the others. Over HTTP the newest protocol revision is
 * negotiated; over stdio the handshake of 2025 is used, which every server knows, because negotiating would start
 * each program twice.
 */
export class ServerConnection implements ToolServer {
  readonly #name: string;
  readonly #config: ServerConfig;
  readonly #options: ConnectionOptions;
  #opening: Promise<Session> | undefined;
  #starting: Session['transport'] | undefined;
  #live: Session | undefined;

  constructor(name: string, config: ServerConfig, options: ConnectionOptions) {
    this.#name = name;
    this.#config = config;
    this.#options = options;
  }

  async tools(signal: AbortSignal): Promise<readonly ListedTool[]> {
    const timeoutMs = this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    return this.#inSession('tools/list', timeoutMs, signal, (session) => {
      session.tools ??= this.#list(session, timeoutMs);
      return unlessAborted(session.tools, signal);
    });
  }

  forgetTools(): void {
    if (this.#live !== undefined) this.#live.tools = undefined;
  }

  async call(tool: string, args: JsonObject, options: ToolCallOptions): Promise<ToolAnswer> {
    return this.#inSession(tool, options.timeoutMs, options.signal, (session) =>
      this.#send(session, tool, args, options),
    );
  }

  /** Does something with the connection. When the server has forgotten us it did not look, and is asked once more. */
  async #inSession<T>(
    what: string,
    timeoutMs: number,
    signal: AbortSignal,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const session = await unlessAborted(this.#connected(), signal);
    try {
      return await work(session);
    } catch (error) {
      if (!isSessionLost(error)) throw this.#explain(session, error, what, timeoutMs);
    }
    await this.#drop(session);
    const renewed = await unlessAborted(this.#connected(), signal);
    try {
      return await work(renewed);
    } catch (error) {
      throw this.#explain(renewed, error, what, timeoutMs);
    }
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    // One that is still starting is not waited for: closing makes its handshake fail.
    await this.#starting?.close();
    const session = await opening?.catch(() => undefined);
    if (session !== undefined) await this.#drop(session);
  }

  #connected(): Promise<Session> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Session> {
    const connectTimeoutMs = this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    const transport = openTransport(this.#name, this.#config, this.#options);
    const client = new Client(
      { name: 'skillyard', version: '0.1.0' },
      {
        ...('url' in this.#config && { versionNegotiation: { mode: 'auto' } }),
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => (session.tools = undefined) },
        },
      },
    );
    const session: Session = { transport, client, tools: undefined, calls: new Set() };
    // The SDK has no events, one handler per client.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    client.onclose = () => this.#forget(session);
    this.#starting = transport;
    try {
      await client.connect(transport, { timeout: connectTimeoutMs });
    } catch (error) {
      // Before it is closed: what becomes of it then is our doing.
      const facts = this.#facts(transport);
      await client.close().catch(() => {});
      throw startFailure(error, facts, connectTimeoutMs);
    } finally {
      this.#starting = undefined;
    }
    if (transport instanceof StdioTransport) transport.ongarbage = (line) => this.#onGarbage(session, line);
    this.#live = session;
    return session;
  }

  /** The next use connects anew. */
  #forget(session: Session): void {
    if (this.#live !== session) return;
    this.#live = undefined;
    this.#opening = undefined;
  }

  async #drop(session: Session): Promise<void> {
    this.#forget(session);
    await session.client.close().catch(() => {});
  }

  async #list(session: Session, timeoutMs: number): Promise<readonly ListedTool[]> {
    try {
      const { tools } = await session.client.listTools(undefined, {
        timeout: timeoutMs,
        cacheMode: 'refresh',
      });
      return tools.map(listedTool);
    } catch (error) {
      session.tools = undefined;
      throw error;
    }
  }

  async #send(
    session: Session,
    tool: string,
    args: JsonObject,
    options: ToolCallOptions,
  ): Promise<ToolAnswer> {
    let interrupt: (error: Error) => void = () => {};
    const interrupted = new Promise<never>((_resolve, reject) => (interrupt = reject));
    session.calls.add(interrupt);
    try {
      const call = session.client.callTool(
        { name: tool, arguments: args },
        { timeout: options.timeoutMs, maxTotalTimeout: options.timeoutMs, signal: options.signal },
      );
      const result = await Promise.race([call, interrupted]);
      return { text: toolText(result), failed: result.isError === true };
    } catch (error) {
      if (isTimeout(error) || SkillyardError.is(options.signal.reason, 'STEP_TIMEOUT'))
        void this.#checkPulse(session);
      throw error;
    } finally {
      session.calls.delete(interrupt);
      interrupted.catch(() => {});
    }
  }

  /**
   * A broken message answers one of the calls that are under way, and nothing says which. With one call it is clear
   * and the caller need not wait; with more, each waits for its own time, and the garbage is named then.
   */
  #onGarbage(session: Session, line: string): void {
    const [only, ...others] = session.calls;
    if (only !== undefined && others.length === 0) {
      only(garbled({ ...this.#facts(session.transport), garbage: line }, undefined, true));
    }
  }

  /** After a call that was not answered: a server that does not answer a ping either is started anew. */
  async #checkPulse(session: Session): Promise<void> {
    try {
      await session.client.ping({ timeout: PING_TIMEOUT_MS });
    } catch {
      await this.#drop(session);
    }
  }

  #explain(session: Session, error: unknown, tool: string, timeoutMs: number): Error {
    return callFailure(error, this.#facts(session.transport), tool, timeoutMs);
  }

  #facts(transport: ServerTransport): ServerFacts {
    return serverFacts(this.#name, this.#config, this.#options.env, transport);
  }
}

function listedTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    description: tool.description ?? tool.title ?? '',
    inputSchema: tool.inputSchema as JsonObject,
    readOnlyHint: tool.annotations?.readOnlyHint === true,
    idempotentHint: tool.annotations?.idempotentHint === true,
  };
}
