import type { Buildable } from '../definition/skill-definition.ts';
import type { McpOptions } from './serve-mcp.ts';

export interface McpHttpServer {
  /** Where clients connect: `http://127.0.0.1:<port>/mcp`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a skill over streamable HTTP on 127.0.0.1.
 * @param port 0: any that is free
 */
export async function serveMcpHttp(
  _definition: Buildable,
  _options: McpOptions,
  _port: number,
): Promise<McpHttpServer> {
  await Promise.resolve();
  throw new Error('not yet');
}
