import { join } from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isRecord } from '../../is-record.ts';
import type { CaseResult } from '../run-case.ts';
import type { Outline, Reply } from './corrections.ts';
import { describeInstructions, describeTools } from './describe-server.ts';
import { judge, type KitFolder } from './kit-folder.ts';
import { inherited } from '../run-process.ts';

/** A conversation with the MCP server of a built skill. */
export interface McpTranscript {
  readonly skill: string;
  readonly transport: string;
  readonly invocation_argv: readonly string[];
  readonly calls: readonly McpCall[];
}

interface McpCall {
  readonly method: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly comment?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly jsonrpc_error?: unknown;
}

/** Has the form of an id; no server gave it. */
const NO_SESSION = 'ffffffff';
/** How texts begin that are those of an SDK. */
const SDK_ERROR = 'MCP error ';

/** Runs a transcript over stdio, with the client of the official SDK. */
export async function runMcpTranscript(
  transcript: McpTranscript,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const { dir } = await folder.workspace.built(transcript.skill);
  const transport = new StdioClientTransport({
    command: join(dir, 'scripts/run'),
    args: [...transcript.invocation_argv],
    cwd: folder.workspace.dir,
    env: inherited(),
    stderr: 'ignore',
  });
  const client = new Client({ name: 'skillyard-conformance', version: '1.0.0' });
  try {
    await client.connect(transport);
    return await runCalls(client, transcript, name, folder);
  } finally {
    await client.close();
  }
}

async function runCalls(
  client: Client,
  transcript: McpTranscript,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const tags = [...folder.tags.of(name), 'thrown'];
  let session = NO_SESSION;
  let isOpen = false;
  for (const [index, call] of transcript.calls.entries()) {
    const title = [call.comment, call.tool ?? call.method, JSON.stringify(call.arguments ?? {})]
      .filter((part) => part !== undefined)
      .join(' ');
    const entry = { name, entry: String(index), title, tags };
    if (call.method === 'initialize') {
      results.push(
        judge(entry, { recorded: serverOf(call), actual: describeInstructions(client, call.result ?? {}) }),
      );
    } else if (call.method === 'tools/list') {
      const { tools } = await client.listTools();
      results.push(judge(entry, describeTools(call.result ?? {}, tools, transcript.skill)));
    } else {
      const recorded = recordedOf(call);
      // A made-up id and the real one are recorded alike: while a session is open, an unknown one is made up.
      const meant = isOpen && isUnknownSession(recorded) ? NO_SESSION : session;
      const actual = await callTool(client, call, meant);
      session = sessionOf(actual) ?? session;
      isOpen = statusOf(recorded) === 'done' ? false : isOpen || sessionOf(actual) !== undefined;
      results.push(judge(entry, replyOf(recorded, actual)));
    }
  }
  return results;
}

interface ToolReply {
  readonly content_types: readonly string[];
  readonly isError: boolean | null;
  readonly text_json?: unknown;
  readonly text?: unknown;
}

function recordedOf(call: McpCall): Readonly<Record<string, unknown>> {
  if (call.result === undefined) return { content_types: ['text'], isError: true, text: SDK_ERROR };
  return call.result;
}

async function callTool(client: Client, call: McpCall, session: string): Promise<ToolReply> {
  const args = Object.fromEntries(
    Object.entries(call.arguments ?? {}).map(([key, value]) => [
      key,
      value === '<MCP_SESSION>' ? session : value,
    ]),
  );
  try {
    const { content, isError } = await client.callTool({ name: call.tool ?? '', arguments: args });
    return { content_types: content.map(({ type }) => type), isError: isError ?? null, ...textOf(content) };
  } catch (error) {
    // What the SDK refuses ends in an answer or in an error of the protocol, as its version has it.
    const text = `${SDK_ERROR}${error instanceof Error ? error.message : String(error)}`;
    return { content_types: ['text'], isError: true, text };
  }
}

function textOf(content: CallToolResult['content']): { text_json: unknown } | { text: string } {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { text_json: value } : { text };
  } catch {
    return { text };
  }
}

function replyOf(recorded: Readonly<Record<string, unknown>>, actual: ToolReply): Reply {
  const outlines = { recorded: outlineOf(recorded), actual: outlineOf(actual) };
  const said = recorded['text'];
  const isOfSdk = typeof said === 'string' && said.startsWith(SDK_ERROR);
  // Its words are those of a version of the SDK.
  if (isOfSdk && actual.isError === true) return { recorded, actual: { ...actual, text: said }, outlines };
  return { recorded, actual, outlines };
}

function outlineOf(reply: object): Outline {
  const { isError, text_json } = reply as Partial<ToolReply>;
  const said = isRecord(text_json) ? text_json : {};
  const status = said['status'];
  return {
    failed: isError === true,
    kind: typeof status === 'string' ? status : 'text',
    step: typeof said['step'] === 'string' ? said['step'] : '',
  };
}

function sessionOf(reply: ToolReply): string | undefined {
  const said = isRecord(reply.text_json) ? reply.text_json : {};
  const isStart = said['status'] === 'prompt' && 'preamble' in said;
  return isStart && typeof said['session'] === 'string' ? said['session'] : undefined;
}

function statusOf(recorded: Readonly<Record<string, unknown>>): unknown {
  return isRecord(recorded['text_json']) ? recorded['text_json']['status'] : undefined;
}

function isUnknownSession(recorded: Readonly<Record<string, unknown>>): boolean {
  const said = recorded['text_json'];
  const message = isRecord(said) ? said['message'] : undefined;
  return isRecord(message) && message['$kit_message'] === 'unknown-session';
}

function serverOf(call: McpCall): unknown {
  const { capabilities, serverInfo } = call.result ?? {};
  return { capabilities, serverInfo, unsaid: [] };
}
