import { createHash, randomUUID } from 'node:crypto';
import type { Config } from '@skillyard/contracts';
import { createLogger, runOrchestrator } from '@skillyard/orchestrator';
import { connect, type QueueConnection, TurnClient } from '@skillyard/queue';
import { bigText, type RedisServer, startRedis, startHttpToolServer, until } from '@skillyard/testing';
import { runWorker } from '@skillyard/workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BYTES = 50 * 1024 * 1024;
const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('a value of 50 MB', () => {
  const url = redis?.url ?? '';
  const prefix = `t${randomUUID().slice(0, 8)}`;
  const closers: (() => Promise<void>)[] = [];
  let connection: QueueConnection;

  beforeAll(async () => {
    // Over HTTP: the stdio side of a tool server reads no message of this size.
    const desk = await startHttpToolServer();
    closers.push(() => desk.close());
    const config: Config = {
      redis: { prefix },
      servers: { desk: { url: desk.url, timeout: '60s', effect: 'read' } },
    };
    const common = { config, baseDir: process.cwd(), redisUrl: url, env: {}, log: createLogger('silent') };
    connection = await connect({ url, prefix });
    closers.push(() => connection.close());
    const orchestrator = await runOrchestrator(common);
    const worker = await runWorker({ ...common, classes: ['desk'] });
    closers.push(
      () => worker.close(),
      () => orchestrator.close(),
    );
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
    await redis?.stop();
  });

  it('passes whole from one call to the next, and enters neither the state nor the trace nor the outcome', async () => {
    const client = new TurnClient(connection);
    const turnId = await client.submitTurn({
      file: 'large.yaml',
      vars: {},
      skillText: `skill_engine_version: "2.4.0"
name: large
description: Passes a large value on.
workflow:
  tools: [desk]
  steps:
    - {name: get, call: {tool: "desk:big", args: {bytes: ${BYTES}}, save_as: data}}
    - {name: measure, call: {tool: "desk:measure", args: {text: "{{data}}"}, save_as: size}}
`,
    });
    const view = await until(
      async () => {
        const now = await client.readTurn(turnId);
        return now.outcome === null ? undefined : now;
      },
      60_000,
      'the end of the turn',
    );
    const text = bigText(BYTES);
    const sha = createHash('sha256').update(text).digest('hex');
    expect(view.outcome?.error).toBeNull();
    expect(view.outcome?.vars['size']).toBe(`${text.length} ${sha}`);
    expect(view.outcome?.vars['data']?.length).toBeLessThan(8192);
    expect(view.outcome?.vars['data.mem']).toMatch(/^m-/);
    const { meta, trace } = connection.keys.turn(turnId);
    for (const key of [meta, trace])
      expect(await connection.redis.memory('USAGE', key)).toBeLessThan(64 * 1024);
  }, 120_000);
});
