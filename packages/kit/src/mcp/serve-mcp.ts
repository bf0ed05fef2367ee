import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Buildable } from '../definition/skill-definition.ts';
import { claimStdout } from './claim-stdout.ts';
import type { McpOptions } from './mcp-options.ts';
import { skillServers } from './skill-servers.ts';

/** Serves a skill over the standard streams of this process, until the client closes stdin. */
export async function serveMcp(definition: Buildable, options: McpOptions): Promise<void> {
  const { stdin } = process;
  const closed = new Promise<void>((resolve) => {
    stdin.once('end', resolve);
    stdin.once('close', resolve);
  });
  const connection = serveStdio(skillServers(definition, options), {
    transport: new StdioServerTransport(stdin, claimStdout()),
    onerror: (error) => process.stderr.write(`[skill-kit] ${error.message}\n`),
  });
  await closed;
  await connection.close();
}
