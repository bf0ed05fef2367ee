import { createHash } from 'node:crypto';
import type { ToolDescription } from '../tools/tool-servers.ts';
import type { OfferedTool } from './model-client.ts';

/** What every provider takes as the name of a tool. */
const LONGEST_NAME = 64;
const SEPARATOR = '__';
const HASH_LENGTH = 8;

/**
 * The name a model sees for a tool: `server__tool`.
 * It depends on the tool alone, so that it is the same in every round of a conversation and on every worker. Where
 * the plain form would not be legal, or could be that of another tool, a hash makes it the tool's own.
 */
export function offeredName(server: string, tool: string): string {
  const plain = `${server}${SEPARATOR}${tool}`;
  const isLegal = /^[A-Za-z0-9_-]+$/.test(plain) && plain.length <= LONGEST_NAME;
  const isClear =
    !server.includes(SEPARATOR) &&
    !tool.includes(SEPARATOR) &&
    !server.endsWith('_') &&
    !tool.startsWith('_');
  if (isLegal && isClear) return plain;
  const hash = createHash('sha256').update(`${server}\n${tool}`).digest('hex').slice(0, HASH_LENGTH);
  const safe = plain.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST_NAME - HASH_LENGTH - 1);
  return `${safe}_${hash}`;
}

/** Tools as they are offered to a model. */
export function offerTools(tools: readonly ToolDescription[]): OfferedTool[] {
  return tools.map(({ server, tool, description, inputSchema }) => ({
    name: offeredName(server, tool),
    server,
    tool,
    description,
    inputSchema,
  }));
}
