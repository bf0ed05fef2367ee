import type { Json, JsonObject, ToolRequest } from '@skillyard/contracts';
import { namesHint } from '../near-names.ts';
import type { OfferedTool, WrittenCall } from './model-client.ts';

/**
 * The calls a model wrote, as requests for the machine.
 * A call that cannot be made says why in `refused`: the model reads that as its result and may do better.
 */
export function toolRequests(calls: readonly WrittenCall[], offered: readonly OfferedTool[]): ToolRequest[] {
  return calls.map((call) => toolRequest(call, offered));
}

function toolRequest(call: WrittenCall, offered: readonly OfferedTool[]): ToolRequest {
  const { callId, name } = call;
  const args = isObject(call.args) ? call.args : {};
  const tool = offered.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const refused = `there is no tool "${name}" in this step. ${namesHint(
      name,
      offered.map((candidate) => candidate.name),
      'tools',
    )}`;
    return { callId, server: '', tool: name, args, refused };
  }
  const request = { callId, server: tool.server, tool: tool.tool, args };
  if (isObject(call.args)) return request;
  return {
    ...request,
    refused: `the arguments of ${name} are ${typeof call.args === 'string' ? 'not complete JSON' : 'no JSON object'}; send one JSON object that fits its schema`,
  };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
