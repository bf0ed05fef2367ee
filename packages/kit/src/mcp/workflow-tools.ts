import {
  type CallToolResult,
  fromJsonSchema,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { advanceSchema, startSchema } from './input-schemas.ts';
import { askPeople, responseOfPeople, roundOf } from './people.ts';
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
      caught(async () => jsonResult(await sessions.start({ params, subskill }, context.mcpReq.signal))),
  );
  server.registerTool(
    'advance',
    {
      description:
        `Hands in the output of the step that the skill "${definition.name}" asked for, and gives the next prompt or the ` +
        'final output.',
      inputSchema: fromJsonSchema<AdvanceRequest>(advanceSchema(definition)),
    },
    (request, context) => caught(() => advance(server, sessions, request, context)),
  );
}

/**
 * Takes an answer and goes on. What the next prompt asks of people is asked by the client where it can, so that the agent gets
 * the prompt after it. A prompt that comes with a preamble goes to the agent: it has to read that first.
 */
async function advance(
  server: McpServer,
  sessions: WorkflowSessions,
  request: AdvanceRequest,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { signal } = context.mcpReq;
  const before = roundOf(context);
  const asked = before === null ? null : sessions.waiting(request.session);
  let taken = request;
  if (asked !== null && asked.reply.step === before?.step) {
    const response = responseOfPeople(context, asked);
    if (response === undefined) {
      return jsonResult(asked.reply);
    }
    taken = { session: request.session, step: asked.reply.step, output: response };
  }
  const reply = await sessions.advance(taken, signal);
  if (reply.status !== 'prompt' || reply.preamble !== undefined) {
    return jsonResult(reply);
  }
  return (
    askPeople(server, context, () => sessions.waiting(request.session), before?.round ?? 0) ??
    jsonResult(reply)
  );
}

async function caught<Result>(work: () => Promise<Result>): Promise<Result | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return failedResult(error);
  }
}
