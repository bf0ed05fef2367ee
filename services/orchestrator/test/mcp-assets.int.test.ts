import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, JobId, StepJob } from '@skillyard/contracts';
import { createExecutors, type Executors } from '@skillyard/executors';
import { Operator } from '@skillyard/queue';
import {
  type HttpToolServer,
  type RedisServer,
  startHttpToolServer,
  startRedis,
  until,
} from '@skillyard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';

const redis: RedisServer | undefined = await startRedis();

const skillOf = (notes: string, value = '{{asset:notes}}'): string => `skill_engine_version: "2.4.1"
name: test-skill
description: A skill of a test.
workflow:
  tools: [shop, nowhere]
  assets:
    notes: {source: mcp, ${notes}}
    house: {content: be brief}
  steps:
    - {name: use, set: {var: answer, value: ${JSON.stringify(value)}}}
`;

describe.skipIf(redis === undefined)('an asset that is read from a tool server, over queues', () => {
  let folder: string;
  let tools: HttpToolServer;
  let cluster: Cluster;
  let operator: Operator;
  let workers: Executors;
  let inline: Executors;
  /** What the orchestrator answered itself. It knows no tool server. */
  let answered: StepJob[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillyard-mcp-assets-'));
  });
  beforeEach(async () => {
    tools = await startHttpToolServer();
    const config: Config = {
      servers: {
        shop: {
          url: tools.url,
          class: 'kitchen',
          effects: { order: 'read', upsert: 'idempotent', gate: 'read' },
        },
      },
      classes: { kitchen: { priority: { shop: 7 } } },
    };
    const surroundings = { env: {}, baseDir: folder };
    workers = createExecutors({ config, ...surroundings });
    inline = createExecutors({ config: {}, ...surroundings });
    cluster = await startCluster(redis!.url, (job, context) => workers.execute(job, context), config);
    operator = new Operator(cluster.connection);
    answered = [];
    await cluster.orchestrator({
      execute: (job, context) => {
        answered.push(job);
        return inline.execute(job, context);
      },
    });
  });
  afterEach(async () => {
    await cluster.close();
    await Promise.all([workers.close(), inline.close()]);
    await tools.close();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await redis?.stop();
  });

  /** What the queue holds of a ticket; empty when it is done. */
  const ticketOf = ({ jobId }: { jobId: JobId }): Promise<Record<string, string>> => {
    const { connection } = cluster;
    return connection.redis.hgetall(`${connection.keys.queuePrefix('tool.kitchen')}:tool.kitchen:${jobId}`);
  };
  const linesOf = async (file: string): Promise<string[]> =>
    existsSync(file) ? (await readFile(file, 'utf8')).trim().split('\n') : [];

  it('waits in the queue of the class of its server, and is answered by a worker with the values it needs', async () => {
    const text = skillOf(
      'ref: "shop:order", args: {sku: "{{what}}", quantity: 2}',
      '{{asset:house}}: {{asset:notes}}',
    );
    const turnId = await cluster.submit(text, { vars: { what: 'rye' } });
    const [waiting] = await until(async () => {
      const { jobs } = await operator.explainTurn(turnId);
      return jobs.some(({ hold }) => hold === 'no-worker') ? jobs : undefined;
    });
    expect(waiting).toMatchObject({
      kind: 'asset',
      target: 'notes',
      queue: 'tool.kitchen',
      why: 'no worker of class kitchen is connected to the queue tool.kitchen; start one',
    });
    expect(await ticketOf(waiting!)).toMatchObject({
      name: 'shop:order',
      data: '{"effect":"read"}',
      priority: '7',
    });
    expect(tools.headers).toEqual([]);
    await cluster.worker('kitchen');
    expect(await cluster.outcome(turnId)).toMatchObject({
      status: 'completed',
      answer: 'be brief: {"sku":"rye","quantity":2}',
    });
    expect(cluster.executed.map(({ kind, id }) => `${kind} ${id}`)).toEqual([`asset ${waiting!.jobId}`]);
    expect(answered).toMatchObject([{ kind: 'asset', name: 'house' }]);
  });

  it('is refused by the orchestrator when there is no such server, and follows its policy', async () => {
    const failing = await cluster.submit(skillOf('ref: "nowhere:read"'));
    expect(await cluster.outcome(failing)).toMatchObject({
      status: 'failed',
      error: {
        code: 'ASSET_UNAVAILABLE',
        message: expect.stringContaining('no tool server "nowhere" in the configuration'),
      },
    });
    const tolerant = await cluster.submit(
      skillOf('ref: "nowhere:read", fetch: {on_unavailable: empty}', '<{{asset:notes}}>'),
    );
    expect(await cluster.outcome(tolerant)).toMatchObject({ status: 'completed', answer: '<>' });
    expect(cluster.executed).toEqual([]);
  });

  it('is kept by the worker for its ttl, for the turns that come after', async () => {
    const file = join(folder, 'kept.log');
    await cluster.worker('kitchen');
    const asset = (ttl: string): string =>
      skillOf(`ref: "shop:upsert", args: {file: ${file}, line: "{{who}}"}, fetch: {ttl: ${ttl}}`);
    for (const who of ['anna', 'anna', 'bert', 'anna']) {
      const turnId = await cluster.submit(asset('1h'), { vars: { who } });
      expect(await cluster.outcome(turnId)).toMatchObject({ status: 'completed', answer: 'written' });
    }
    expect(await linesOf(file)).toEqual(['anna', 'bert']);
  });

  it('is withdrawn from its worker when the turn is cancelled', async () => {
    await cluster.worker('kitchen');
    const file = join(folder, 'cancelled.log');
    const gate = join(folder, 'never');
    const args = `args: {file: ${file}, gate: ${gate}}`;
    const turnId = await cluster.submit(skillOf(`ref: "shop:gate", ${args}, fetch: {timeout: 5m}`));
    await until(async () => (await linesOf(file)).length > 0, 10_000, 'it is under way');
    const [running] = (await operator.explainTurn(turnId)).jobs;
    expect(running).toMatchObject({ kind: 'asset', hold: 'running', queue: 'tool.kitchen' });
    expect(await ticketOf(running!)).toHaveProperty('name');
    await cluster.client.cancelTurn(turnId, 'changed my mind');
    expect(await cluster.outcome(turnId)).toMatchObject({ status: 'cancelled' });
    await until(async () => !('name' in (await ticketOf(running!))), 10_000, 'its worker is free');
    await writeFile(gate, '');
  });

  it('is listed when it cannot be had, and redriven once its server is there', async () => {
    await cluster.worker('kitchen');
    tools.answerRaw({ status: 503, contentType: 'text/plain', body: 'closed' });
    const turnId = await cluster.submit(skillOf('ref: "shop:order", args: {sku: rye, quantity: 1}'));
    expect(await cluster.outcome(turnId)).toMatchObject({
      status: 'failed',
      error: { code: 'ASSET_UNAVAILABLE' },
    });
    const [failed] = await until(async () => {
      const { jobs } = await operator.listFailed({ workerClass: 'kitchen' });
      return jobs.length > 0 ? jobs : undefined;
    });
    expect(failed).toMatchObject({
      kind: 'asset',
      target: 'notes',
      queue: 'tool.kitchen',
      code: 'ASSET_UNAVAILABLE',
    });
    tools.answerRaw(undefined);
    await operator.redrive(failed!.jobId, 'anna');
    expect(await cluster.outcome(turnId)).toMatchObject({
      status: 'completed',
      answer: '{"sku":"rye","quantity":1}',
    });
  });
});
