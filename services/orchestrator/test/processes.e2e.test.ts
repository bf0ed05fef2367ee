import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TurnId, TurnOutcome } from '@skillyard/contracts';
import { connect, type QueueConnection, TurnClient } from '@skillyard/queue';
import {
  freePort,
  killHard,
  type ModelServer,
  type NodeProcess,
  type RedisServer,
  spawnNode,
  startModelServer,
  startRedis,
  until,
} from '@skillyard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const require = createRequire(import.meta.url);
const mcpServer = (name: string): string =>
  require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
/** The built processes, as an operator starts them. */
const main = (service: string): string =>
  fileURLToPath(new URL(`../../${service}/dist/main.js`, import.meta.url));

const redis: RedisServer | undefined = await startRedis();

const SKILL = `skill_engine_version: "2.4.1"
name: shelf
description: Notes what the model says and reads it back through a tool loop.
workflow:
  tools: [files]
  steps:
    - name: invent
      instruction: Invent a line about {{input}}.
      tools: []
      save_as: line
    - name: note
      call: {tool: "files:write_file", args: {path: "{{folder}}/note.txt", content: "{{line}}"}, save_as: written}
    - name: read
      instruction: Read {{folder}}/note.txt and say what it holds.
`;

describe.skipIf(redis === undefined)('orchestrator and workers as processes', () => {
  let folder: string;
  let model: ModelServer;
  let connection: QueueConnection;
  let client: TurnClient;
  let configFile: string;
  const processes: NodeProcess[] = [];

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'skillyard-e2e-')));
    model = await startModelServer();
    configFile = join(folder, 'skillyard.yaml');
  });
  afterAll(async () => {
    await model.close();
    await redis?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    const prefix = `e2e-${randomUUID().slice(0, 8)}`;
    const servers = {
      files: {
        command: process.execPath,
        args: [mcpServer('filesystem'), folder],
        trusted: true,
        class: 'disk',
      },
    };
    const models = { main: { provider: 'openai-compatible', base_url: model.url, model: 'test' } };
    // JSON is YAML.
    await writeFile(
      configFile,
      JSON.stringify({ default_model: 'main', models, servers, redis: { url: redis!.url, prefix } }),
    );
    connection = await connect({ url: redis!.url, prefix });
    client = new TurnClient(connection);
    model.answerBy((request) => {
      const messages = request.body['messages'] as { role: string; content: unknown }[];
      const last = messages.at(-1);
      if (last?.role === 'tool') return { text: `It holds: ${JSON.stringify(last.content)}` };
      if (request.prompt.startsWith('Read')) {
        return { calls: [{ name: 'files__read_text_file', args: { path: join(folder, 'note.txt') } }] };
      }
      return { text: 'A loaf is a promise kept.' };
    });
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => one.stop()));
    await connection.close();
  });

  const launch = async (
    service: string,
    args: string[],
    env: Record<string, string> = {},
  ): Promise<NodeProcess> => {
    const started = spawnNode(main(service), ['--config', configFile, ...args], { env });
    processes.push(started);
    await started.wrote('"event":"ready"');
    return started;
  };
  const outcome = async (turnId: TurnId): Promise<TurnOutcome> => {
    for await (const watched of client.watchTurn(turnId)) if (watched.outcome) return watched.outcome;
    throw new Error('the watch ended before the turn');
  };
  const submit = (): Promise<TurnId> =>
    client.submitTurn({ skillText: SKILL, file: 'shelf.yaml', vars: { input: 'bread', folder } });

  it('runs a turn through a real endpoint and a real tool server', async () => {
    await Promise.all([
      launch('orchestrator', []),
      launch('workers', ['--class', 'model']),
      launch('workers', ['--class', 'disk']),
    ]);
    const turnId = await submit();
    const end = await outcome(turnId);
    expect(end).toMatchObject({ status: 'completed', error: null, usage: { generations: 3, calls: 2 } });
    expect(end.answer).toContain('A loaf is a promise kept.');
    expect(await readFile(join(folder, 'note.txt'), 'utf8')).toBe('A loaf is a promise kept.');
    // The model worker told the model of tools it has no connection to.
    expect(JSON.stringify(model.requests.at(-1)?.body['tools'])).toContain('files__read_text_file');
    for (const one of processes) {
      expect(await one.stop()).toEqual({ code: 0, signal: null });
      expect(one.stderr()).not.toContain('promise kept');
    }
  }, 60_000);

  it('goes on when every process is killed and started again', async () => {
    const first = [await launch('orchestrator', []), await launch('workers', ['--class', 'model'])];
    const turnId = await submit();
    await until(
      () => model.requests.some(({ prompt }) => prompt.startsWith('Invent')),
      10_000,
      'the first generation',
    );
    await Promise.all(first.map(killHard));
    await Promise.all([
      launch('orchestrator', []),
      launch('workers', ['--class', 'model', '--class', 'disk']),
    ]);
    const end = await outcome(turnId);
    expect(end).toMatchObject({ status: 'completed' });
    expect(end.answer).toContain('A loaf is a promise kept.');
    // A worker that died is found out within ten seconds.
  }, 90_000);

  it('says what to do when Redis cannot be reached, without the password, and ends with 4', async () => {
    const port = await freePort();
    for (const [service, args] of [
      ['orchestrator', []],
      ['workers', ['--class', 'model']],
    ] as const) {
      const url = `redis://:open-sesame@127.0.0.1:${port}`;
      const started = spawnNode(main(service), ['--config', configFile, '--redis', url, ...args]);
      expect(await started.exited).toEqual({ code: 4, signal: null });
      expect(started.stderr()).toContain(`127.0.0.1:${port}`);
      expect(started.stderr()).toContain('REDIS_URL');
      expect(started.stderr()).not.toContain('sesame');
      expect(started.stderr().trim().split('\n')).toHaveLength(1);
    }
  });

  it('names the classes there are when a worker is started for another', async () => {
    const started = spawnNode(main('workers'), ['--config', configFile, '--class', 'dsk']);
    expect(await started.exited).toEqual({ code: 2, signal: null });
    expect(started.stderr()).toContain('disk');
  });
});
