import { fileURLToPath } from 'node:url';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export type ToolReply = Readonly<Record<string, unknown>>;

/** A client that is connected, with what its tests say all the time in short. */
export interface McpClient {
  readonly client: Client;
  call(tool: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** Calls a tool whose text is JSON. */
  ask(tool: string, args?: Record<string, unknown>): Promise<ToolReply>;
}

export function clientOf(client: Client): McpClient {
  const call: McpClient['call'] = (name, args = {}) => client.callTool({ name, arguments: args });
  return {
    client,
    call,
    ask: async (tool, args) => JSON.parse(textOf(await call(tool, args))) as ToolReply,
  };
}

/** What people answer to the forms that they are shown, in order; a word is how they get rid of one. */
export interface Person {
  readonly answers: (Record<string, string | boolean | string[]> | 'decline' | 'cancel')[];
  readonly forms: { readonly message: string; readonly fields: unknown }[];
}

/** A client with a person before it. */
export function clientWith(person: Person, options: ConstructorParameters<typeof Client>[1] = {}): Client {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { ...options, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    if ('requestedSchema' in params) {
      person.forms.push({ message: params.message, fields: params.requestedSchema.properties });
    }
    const answer = person.answers.shift() ?? 'cancel';
    return typeof answer === 'string' ? { action: answer } : { action: 'accept', content: answer };
  });
  return client;
}

/** Starts a process that serves a skill of this folder, and connects to it. */
export async function connectStdio(
  args: readonly string[],
  ledger: string,
  client = new Client({ name: 'test', version: '1.0.0' }),
): Promise<McpClient> {
  const script = fileURLToPath(new URL('serve-skill.ts', import.meta.url));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--conditions=@skillyard/source', '--import', 'tsx', script, ...args],
      env: { PATH: process.env['PATH'] ?? '', LEDGER: ledger },
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      stderr: 'ignore',
    }),
  );
  return clientOf(client);
}

export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
