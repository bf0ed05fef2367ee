import { randomUUID } from 'node:crypto';
import type { Config, TurnOutcome } from '@skillyard/contracts';
import { loadSkill } from '@skillyard/engine';
import { createLogger, runOrchestrator } from '@skillyard/orchestrator';
import { connect, TurnClient } from '@skillyard/queue';
import {
  type HttpToolServer,
  type RedisServer,
  startHttpToolServer,
  startRedis,
  until,
} from '@skillyard/testing';
import { runWorker } from '@skillyard/workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLocalRun } from '../src/local/local-run.ts';
import type { Surroundings } from '../src/surroundings.ts';

const redis: RedisServer | undefined = await startRedis();

const SKILL = `skill_engine_version: "2.4.0"
name: full
description: Gathers more than it may hold.
workflow:
  tools: [desk]
  steps:
    - {name: one, call: {tool: "desk:big", args: {bytes: 40000}, save_as: one}}
    - {name: two, call: {tool: "desk:big", args: {bytes: 40000}, save_as: two, on_error: continue}}
    - {name: three, call: {tool: "desk:big", args: {bytes: 20000}, save_as: three}}
    - {name: measure, call: {tool: "desk:measure", args: {text: "{{one}}"}, save_as: size}}
`;

describe.skipIf(redis === undefined)('a turn that would hold more than memory.max_bytes', () => {
  let desk: HttpToolServer;
  let config: Config;
  beforeAll(async () => {
    desk = await startHttpToolServer();
    config = {
      servers: { desk: { url: desk.url, effect: 'read' } },
      memory: { max_bytes: 65_536 },
    };
  });
  afterAll(async () => {
    await desk.close();
    await redis?.stop();
  });

  /** The second value does not fit: its step fails, and the turn goes on with what there is. */
  const check = (outcome: TurnOutcome | null): void => {
    expect(outcome).toMatchObject({ status: 'completed', error: null });
    expect(outcome?.vars['two']).toMatch(
      /^ERROR: The result of 40000 bytes is not kept.* have 40000 bytes and may have 65536\..* memory\.max_bytes/,
    );
    expect(outcome?.vars['three.mem']).toMatch(/^m-/);
    expect(outcome?.vars['size']).toMatch(/^40000 /);
  };

  it('goes on by on_error in one process', async () => {
    const { skill } = loadSkill(SKILL);
    const run = openLocalRun({
      source: { path: '/full.yaml', file: 'full.yaml', text: SKILL, skill: skill! },
      mode: 'workflow',
      loaded: { config, file: null, baseDir: process.cwd() },
      surroundings: { cwd: process.cwd(), env: {} } as Surroundings,
      onEvent: () => {},
      answer: () => {
        throw new Error('nobody is asked in this test');
      },
    });
    const report = await run.run({}, new AbortController().signal);
    await run.close();
    check(report.outcome);
  });

  it('goes on by on_error over queues', async () => {
    const prefix = `t${randomUUID().slice(0, 8)}`;
    const url = redis!.url;
    const common = {
      config: { ...config, redis: { prefix } },
      baseDir: process.cwd(),
      redisUrl: url,
      env: {},
      log: createLogger('silent'),
    };
    const connection = await connect({ url, prefix });
    const orchestrator = await runOrchestrator(common);
    const worker = await runWorker({ ...common, classes: ['desk'] });
    const client = new TurnClient(connection);
    const turnId = await client.submitTurn({ file: 'full.yaml', vars: {}, skillText: SKILL });
    const outcome = await until(async () => (await client.readTurn(turnId)).outcome ?? undefined, 30_000);
    await worker.close();
    await orchestrator.close();
    await connection.close();
    check(outcome);
  });
});
