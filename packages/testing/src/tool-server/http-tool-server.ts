import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { toolServer, type ToolServerHost } from './tool-server.ts';

/** A fixed answer to every request, in place of the protocol. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The tool server over streamable HTTP. */
export interface HttpToolServer {
  readonly url: string;
  readonly port: number;
  /** Headers of every request so far. */
  readonly headers: readonly Readonly<Record<string, string | string[] | undefined>>[];
  /** Answers everything with this from now on; undefined goes back to the protocol. */
  answerRaw(answer: RawAnswer | undefined): void;
  /** Forgets every session, as a restart does. */
  forgetSessions(): void;
  close(): Promise<void>;
}

export interface HttpToolServerOptions {
  readonly port?: number;
  /** Speak the protocol revision of 2026 (no sessions) instead of that of 2025. */
  readonly modern?: boolean;
}

/** Starts the tool server over HTTP, in this process. */
export async function startHttpToolServer(options: HttpToolServerOptions = {}): Promise<HttpToolServer> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const headers: HttpToolServer['headers'][number][] = [];
  let raw: RawAnswer | undefined;

  const server = createServer((request, response) => {
    headers.push(request.headers);
    if (raw !== undefined) {
      response.writeHead(raw.status, { 'content-type': raw.contentType });
      response.end(raw.body);
      return;
    }
    serve(request, response).catch(() => response.destroy());
  });
  const host: ToolServerHost = {
    die: () => server.closeAllConnections(),
    writeGarbage: () => server.closeAllConnections(),
  };
  const modern =
    options.modern === true ? toNodeHandler(createMcpHandler(() => toolServer(host))) : undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (modern !== undefined) {
      // Node's own types say `method?: string | undefined`, the adapter's say `method?: string`.
      await modern(request as IncomingMessage & { method: string; url: string }, response);
      return;
    }
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) {
      await known.handleRequest(request, response);
      return;
    }
    if (id !== undefined) {
      response.writeHead(404).end('no such session');
      return;
    }
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      // Large values are passed through it on purpose.
      maxRequestBodySize: 256 * 1024 * 1024,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await toolServer(host).connect(transport);
    await transport.handleRequest(request, response);
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    headers,
    answerRaw: (answer) => {
      raw = answer;
    },
    forgetSessions: () => sessions.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
