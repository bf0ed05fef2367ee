import { McpServer } from '@modelcontextprotocol/server';
import { skillReferences } from '../cli/skill-references.ts';
import type { Buildable, References, SkillDefinition } from '../definition/skill-definition.ts';
import { fileSessionStore } from '../sessions/file-session-store.ts';
import { durableSessions } from './durable-sessions.ts';
import { instructionsOf } from './instructions.ts';
import type { McpOptions } from './mcp-options.ts';
import { memorySessions } from './memory-sessions.ts';
import { registerTopicTools } from './topic-tools.ts';
import { registerWorkflowTools } from './workflow-tools.ts';
import type { WorkflowSessions } from './workflow-sessions.ts';

/** Of sessions in memory. */
const IDLE_MS = 24 * 60 * 60 * 1000;
const MAX_SESSIONS = 1000;

/**
 * Makes the servers of a skill: one a connection, or one a request where there are no connections. All share their
 * sessions.
 */
export function skillServers(definition: Buildable, options: McpOptions): () => McpServer {
  const references = skillReferences(options.skillDir);
  const instructions = instructionsOf(definition);
  const registerTools = toolsOf(definition, references, options);
  return () => {
    const { name, version } = definition;
    const server = new McpServer({ name, version }, { instructions, capabilities: { tools: {} } });
    registerTools(server);
    return server;
  };
}

function toolsOf(
  definition: Buildable,
  references: References,
  options: McpOptions,
): (server: McpServer) => void {
  if (definition.kind === 'reference') {
    return (server) => registerTopicTools(server, definition, references);
  }
  const sessions = sessionsOf(definition, references, options);
  return (server) => {
    registerWorkflowTools(server, definition, sessions);
    registerTopicTools(server, definition, references);
  };
}

function sessionsOf(
  definition: SkillDefinition,
  references: References,
  { host = 'generic', tools = [], isSubagent = false, sessionDir, warn = warnOnStderr }: McpOptions,
): WorkflowSessions {
  const handshake = { host, toolsAvailable: tools, isSubagent };
  if (sessionDir !== undefined) {
    return durableSessions(definition, fileSessionStore(sessionDir), { handshake, references, warn });
  }
  return memorySessions(
    definition,
    { handshake, references, warn },
    { idleMs: IDLE_MS, maxSessions: MAX_SESSIONS, now: Date.now },
  );
}

export function warnOnStderr(line: string): void {
  process.stderr.write(`[skill-kit] ${line}\n`);
}
