import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Buildable } from '../definition/skill-definition.ts';
import type { McpOptions } from './mcp-options.ts';
import { skillServers, warnOnStderr } from './skill-servers.ts';

const ADDRESS = '127.0.0.1';
const PATH = '/mcp';

export interface McpHttpServer {
  /** Where clients connect: `http://127.0.0.1:<port>/mcp`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a skill over streamable HTTP to this machine only. There is no sign-in, so a page in a browser must not get in by
 * a name that leads here: requests with the host or the origin of another machine are refused with 403.
 * @param port 0: any that is free
 */
export async function serveMcpHttp(
  definition: Buildable,
  options: McpOptions,
  port: number,
): Promise<McpHttpServer> {
  const { warn = warnOnStderr } = options;
  const handler = createMcpHandler(skillServers(definition, options));
  const handle = toNodeHandler(handler);
  const hostIsLocal = localhostHostValidation();
  const originIsLocal = localhostOriginValidation();
  const server = createServer((request, response) => {
    if (!hostIsLocal(request, response) || !originIsLocal(request, response)) {
      return;
    }
    if (pathOf(request) !== PATH) {
      response.writeHead(404).end();
      return;
    }
    handle(request as IncomingMessage & { method: string; url: string }, response).catch((error: unknown) => {
      warn(`an MCP request failed: ${error instanceof Error ? error.message : String(error)}`);
      fail(response);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ADDRESS, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${ADDRESS}:${address.port}${PATH}`,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function fail(response: ServerResponse): void {
  if (!response.headersSent) {
    response.writeHead(500);
  }
  response.end();
}
