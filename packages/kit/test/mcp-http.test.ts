import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { type McpHttpServer, serveMcpHttp } from '../src/mcp/index.ts';
import { clientOf, clientWith, type McpClient } from './mcp/mcp-client.ts';
import { SKILLS } from './mcp/skills.ts';

const MODERN = { versionNegotiation: { mode: 'auto' } } as const;

let server: McpHttpServer;

afterEach(() => server.close());

async function serve(name: string): Promise<void> {
  const definition = SKILLS[name];
  if (definition === undefined) {
    throw new Error(`no skill is named "${name}"`);
  }
  server = await serveMcpHttp(definition, { skillDir: fileURLToPath(new URL('mcp', import.meta.url)) }, 0);
}

async function connect(client: Client): Promise<McpClient> {
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  return clientOf(client);
}

function statusOf(path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, server.url), { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end('{}');
  });
}

describe('a workflow over streamable HTTP', () => {
  it.each([
    ['2025', {}],
    ['2026', MODERN],
  ])('is gone through by a client of %s, and its session by any connection', async (_year, options) => {
    await serve('desk');
    const first = await connect(new Client({ name: 'test', version: '1.0.0' }, options));
    const { session } = await first.ask('start');
    expect(
      await first.ask('advance', { session, step: 'greet', output: { intent: 'subskill:mooring' } }),
    ).toMatchObject({ step: 'mooring/measure' });
    await first.client.close();
    const second = await connect(new Client({ name: 'test', version: '1.0.0' }, options));
    expect(await second.ask('advance', { session, step: 'measure', output: { metres: 5 } })).toMatchObject({
      step: 'mooring/tie',
    });
    await second.client.close();
  });

  it('asks people by a client of 2026', async () => {
    await serve('crew');
    const person = { answers: [{ answer1: false }], forms: [] };
    const { ask, client } = await connect(clientWith(person, MODERN));
    const { session } = await ask('start');
    expect(await ask('advance', { session, step: 'greet', output: { name: 'Fay' } })).toMatchObject({
      step: 'work',
    });
    expect(person.forms).toHaveLength(1);
    await client.close();
  });

  it('is refused to pages of other sites and to names of other machines', async () => {
    await serve('desk');
    const json = { 'content-type': 'application/json' };
    expect(await statusOf('/mcp', { ...json, origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf('/mcp', { ...json, host: 'evil.example' })).toBe(403);
    expect(await statusOf('/other', json)).toBe(404);
  });
});
