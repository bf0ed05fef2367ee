import type { IncomingMessage } from 'node:http';
import type { ModelProtocol, ModelRequest } from './model-answer.ts';

const PROTOCOLS: Record<string, ModelProtocol> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
};

/** The protocol that a path belongs to, undefined for any other path. */
export function protocolOf(path: string | undefined): ModelProtocol | undefined {
  return PROTOCOLS[path ?? ''];
}

/** Reads a request of any of the three protocols into what tests want to know of it. */
export async function readModelRequest(
  request: IncomingMessage,
  protocol: ModelProtocol,
): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
  return { protocol, headers: request.headers, body, prompt: promptOf(body), schema: schemaOf(body) };
}

/** What lies at a path of keys, undefined when the path leads nowhere. */
function at(value: unknown, ...keys: string[]): unknown {
  let here = value;
  for (const key of keys) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

function promptOf(body: unknown): string {
  const messages = at(body, 'messages') ?? at(body, 'input');
  if (!Array.isArray(messages)) return '';
  const fromUser = messages.filter((message) => at(message, 'role') === 'user');
  return fromUser.map((message) => textOf(at(message, 'content'))).findLast((text) => text !== '') ?? '';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part) => at(part, 'text'));
  return texts.filter((text) => typeof text === 'string').join('');
}

function schemaOf(body: unknown): unknown {
  return (
    at(body, 'response_format', 'json_schema', 'schema') ??
    at(body, 'text', 'format', 'schema') ??
    at(body, 'output_config', 'format', 'schema') ??
    at(body, 'output_format', 'schema')
  );
}
