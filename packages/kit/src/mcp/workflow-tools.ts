import { type CallToolResult, fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { advanceSchema, startSchema } from './input-schemas.ts';
import type { Reply } from './reply.ts';
import { failedResult, jsonResult } from './tool-result.ts';
import type { AdvanceRequest, WorkflowSessions } from './workflow-sessions.ts';

interface StartArguments {
  readonly params?: Record<string, unknown>;
  readonly subskill?: string;
}

/** `start` and `advance`. */
export function registerWorkflowTools(
  server: McpServer,
  definition: SkillDefinition,
  sessions: WorkflowSessions,
): void {
  server.registerTool(
    'start',
    {
      description:
        `Begins the workflow of the skill "${definition.name}". Gives a session, the preamble and the first prompt with the ` +
        'schema of its answer.',
      inputSchema: fromJsonSchema<StartArguments>(startSchema(definition)),
    },
    ({ params = {}, subskill }, context) =>
      answered(sessions.start({ params, subskill }, context.mcpReq.signal)),
  );
  server.registerTool(
    'advance',
    {
      description:
        `Hands in the output of the step that the skill "${definition.name}" asked for, and gives the next prompt or the ` +
        'final output.',
      inputSchema: fromJsonSchema<AdvanceRequest>(advanceSchema(definition)),
    },
    (request, context) => answered(sessions.advance(request, context.mcpReq.signal)),
  );
}

async function answered(reply: Promise<Reply>): Promise<CallToolResult> {
  try {
    return jsonResult(await reply);
  } catch (error) {
    return failedResult(error);
  }
}
