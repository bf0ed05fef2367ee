import { createHash } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { type CallToolResult, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { JsonObject } from '@skillyard/contracts';

/** What the transport a tool server runs on can do to its client. */
export interface ToolServerHost {
  /** Ends at once, in the middle of the call. */
  die(): void;
  /** Writes something that is not the protocol where an answer should be. */
  writeGarbage(kind: string): void;
}

type Arguments = Record<string, unknown>;
type ToolResult = CallToolResult | Promise<CallToolResult>;

interface ToolShape {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly idempotentHint?: boolean };
}

interface Behaviour {
  readonly tool: ToolShape;
  readonly run: (args: Arguments, host: ToolServerHost, signal: AbortSignal) => ToolResult;
}

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const failWith = (text: string): CallToolResult => ({ ...say(text), isError: true });
/** An answer that never comes. */
const never = (): Promise<CallToolResult> => new Promise(() => {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Appends one line to a file. A single write of a short line, so that processes may share the file. */
function appendLine(args: Arguments, line: string): void {
  if (typeof args['file'] === 'string') appendFileSync(args['file'], `${line}\n`);
}

async function slow(args: Arguments, _host: ToolServerHost, signal: AbortSignal): Promise<CallToolResult> {
  appendLine(args, 'start');
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Number(args['ms']));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      appendLine(args, 'aborted');
      resolve();
    });
  });
  if (!signal.aborted) appendLine(args, 'end');
  return say('done');
}

async function gate(args: Arguments): Promise<CallToolResult> {
  appendLine(args, 'start');
  while (!existsSync(textOf(args['gate']))) await new Promise((resolve) => setTimeout(resolve, 20));
  appendLine(args, 'end');
  return say('done');
}

const BEHAVIOURS: readonly Behaviour[] = [
  {
    tool: {
      name: 'echo',
      description: 'Says what it is told.',
      inputSchema: object({ text }, ['text']),
      annotations: { readOnlyHint: true },
    },
    run: (args) => say(textOf(args['text'])),
  },
  {
    tool: {
      name: 'append',
      description: 'Appends a line to a file: the file counts the executions.',
      inputSchema: object({ file: text, line: text }, ['file', 'line']),
    },
    run: (args) => {
      appendLine(args, textOf(args['line']));
      return say('appended');
    },
  },
  {
    tool: {
      name: 'upsert',
      description: 'Like append, and says that a repeat does no harm.',
      inputSchema: object({ file: text, line: text }, ['file', 'line']),
      annotations: { idempotentHint: true },
    },
    run: (args) => {
      appendLine(args, textOf(args['line']));
      return say('written');
    },
  },
  {
    tool: {
      name: 'order',
      description: 'Takes arguments of several types and says them as JSON.',
      inputSchema: object(
        {
          sku: text,
          quantity: { type: 'integer', minimum: 1 },
          colour: { type: 'string', enum: ['red', 'green'] },
          gift: { type: 'boolean' },
          tags: { type: 'array', items: text },
        },
        ['sku', 'quantity'],
      ),
    },
    run: (args) => say(JSON.stringify(args)),
  },
  {
    tool: {
      name: 'slow',
      description: 'Takes its time; writes `start` and `end` (or `aborted`) to the file.',
      inputSchema: object({ ms: count, file: text }, ['ms']),
    },
    run: slow,
  },
  {
    tool: {
      name: 'gate',
      description: 'Writes `start` to the file, waits until the file `gate` is there, writes `end`.',
      inputSchema: object({ file: text, gate: text }, ['file', 'gate']),
    },
    run: gate,
  },
  {
    tool: { name: 'fail', description: 'Fails.', inputSchema: object({ message: text }) },
    run: (args) => failWith(textOf(args['message'] ?? 'it did not work')),
  },
  {
    tool: {
      name: 'deny',
      description: 'Refuses for want of permission.',
      inputSchema: object({ message: text }),
    },
    run: (args) => failWith(`DENIED: ${textOf(args['message'] ?? 'not for you')}`),
  },
  {
    tool: {
      name: 'big',
      description: 'Gives n bytes of numbered lines.',
      inputSchema: object({ bytes: count }, ['bytes']),
    },
    run: (args) => say(bigText(Number(args['bytes']))),
  },
  {
    tool: {
      name: 'measure',
      description: 'Says how long a text is, and its SHA-256.',
      inputSchema: object({ text }, ['text']),
      annotations: { readOnlyHint: true },
    },
    run: (args) => {
      const value = textOf(args['text']);
      return say(`${value.length} ${createHash('sha256').update(value).digest('hex')}`);
    },
  },
  {
    tool: { name: 'structured', description: 'Gives structured content only.', inputSchema: object({}) },
    run: () => ({ content: [], structuredContent: { rows: [{ id: 1 }, { id: 2 }] } }),
  },
  {
    tool: { name: 'nothing', description: 'Gives nothing.', inputSchema: object({}) },
    run: () => ({ content: [] }),
  },
  {
    tool: {
      name: 'environment',
      description: 'Gives one variable of its environment.',
      inputSchema: object({ name: text }, ['name']),
    },
    run: (args) => say(process.env[textOf(args['name'])] ?? '(not set)'),
  },
  {
    tool: {
      name: 'die',
      description: 'Ends in the middle of the call.',
      inputSchema: object({ file: text }),
    },
    run: (args, host) => {
      appendLine(args, 'dying');
      host.die();
      return never();
    },
  },
  {
    tool: {
      name: 'garbage',
      description: 'Answers with something that is not the protocol.',
      inputSchema: object({ kind: { type: 'string', enum: ['prose', 'cut-off', 'shape'] } }),
    },
    run: (args, host) => {
      host.writeGarbage(textOf(args['kind'] ?? 'cut-off'));
      return never();
    },
  },
  {
    tool: { name: 'hang', description: 'Never answers.', inputSchema: object({}) },
    run: never,
  },
  {
    tool: {
      name: 'freeze',
      description: 'Never answers, nor does the server answer anything else.',
      inputSchema: object({}),
    },
    run: () => {
      for (;;);
    },
  },
];

/** A text of exactly n ASCII bytes in numbered lines, so that a test sees which part it was given. */
export function bigText(bytes: number): string {
  let lines = '';
  for (let line = 1; lines.length < bytes; line++) lines += `line ${line}\n`;
  return lines.slice(0, bytes);
}

/**
 * A tool server over a real MCP implementation, whose tools misbehave on request.
 * `learn {name}` adds a tool and tells the client that the list changed.
 */
export function toolServer(host: ToolServerHost): McpServer {
  const server = new McpServer({ name: 'tool-double', version: '1.0.0' });
  const register = ({ tool, run }: Behaviour): void => {
    const config = {
      description: tool.description,
      inputSchema: fromJsonSchema<Arguments>(tool.inputSchema),
      annotations: tool.annotations ?? {},
    };
    server.registerTool(tool.name, config, (args, context) => run(args, host, context.mcpReq.signal));
  };
  for (const behaviour of BEHAVIOURS) register(behaviour);
  register({
    tool: {
      name: 'learn',
      description: 'Adds a tool of this name.',
      inputSchema: object({ name: text }, ['name']),
    },
    run: (args) => {
      const name = textOf(args['name']);
      register({
        tool: { name, description: 'Was learned.', inputSchema: object({}) },
        run: () => say(`${name} was learned`),
      });
      return say('learned');
    },
  });
  return server;
}
