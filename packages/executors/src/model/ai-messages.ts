import type { Json, JsonObject } from '@skillyard/contracts';
import type { AssistantModelMessage, ContentPart, ModelMessage, ToolSet } from 'ai';
import type { AssistantPart, Message } from './message.ts';
import type { WrittenCall } from './model-client.ts';

type AiPart = Exclude<AssistantModelMessage['content'], string>[number];

/** Our messages in the form of the AI SDK. */
export function toAiMessages(messages: readonly Message[]): ModelMessage[] {
  return messages.map((message): ModelMessage => {
    switch (message.role) {
      case 'user':
        return { role: 'user', content: message.text };
      case 'assistant':
        return { role: 'assistant', content: message.parts.map(toAiPart) };
      case 'tool':
        return {
          role: 'tool',
          content: message.replies.map((reply) => ({
            type: 'tool-result',
            toolCallId: reply.callId,
            toolName: reply.name,
            output: { type: reply.failed ? 'error-text' : 'text', value: reply.text },
          })),
        };
    }
  });
}

function toAiPart(part: AssistantPart): AiPart {
  const extra =
    part.provider === undefined ? {} : { providerOptions: part.provider as Record<string, JsonObject> };
  if (part.type !== 'call') return { type: part.type, text: part.text, ...extra };
  // A provider is shown an object even where the model wrote something else.
  const input =
    typeof part.args === 'object' && part.args !== null && !Array.isArray(part.args) ? part.args : {};
  return { type: 'tool-call', toolCallId: part.callId, toolName: part.name, input, ...extra };
}

/** What a model said, in our form. Sources and files have no place in a conversation of ours. */
export function fromAiContent(content: readonly ContentPart<ToolSet>[]): AssistantPart[] {
  return content.flatMap((part): AssistantPart[] => {
    switch (part.type) {
      case 'text':
        return part.text === ''
          ? []
          : [{ type: 'text', text: part.text, ...provider(part.providerMetadata) }];
      case 'reasoning':
        return [{ type: 'reasoning', text: part.text, ...provider(part.providerMetadata) }];
      case 'tool-call':
        return [{ type: 'call', ...writtenCall(part), ...provider(part.providerMetadata) }];
      default:
        return [];
    }
  });
}

function writtenCall(part: { toolCallId: string; toolName: string; input: unknown }): WrittenCall {
  return { callId: part.toolCallId, name: part.toolName, args: (part.input ?? null) as Json };
}

function provider(metadata: unknown): { provider?: JsonObject } {
  return metadata === undefined ? {} : { provider: metadata as JsonObject };
}
