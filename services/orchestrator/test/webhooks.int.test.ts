import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NO_ORIGIN, type TurnEnded, type TurnId, type TurnResource } from '@skillyard/contracts';
import { compileProgram, loadSkill, startTurn } from '@skillyard/engine';
import { postStart, type QueueConnection, TurnStore } from '@skillyard/queue';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCluster } from './cluster.ts';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const SECRET = 'a secret of the test that is long enough';
const SKILL = `skill_engine_version: "2.4.1"
name: told
description: Ends at once.
workflow:
  tools: []
  steps:
    - set: {var: answer, value: "{{input}}"}
`;

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Commits the start and the end of a turn of SKILL, as an orchestrator does before it makes the end known. */
async function commitWhole(connection: QueueConnection, turnId: TurnId): Promise<void> {
  const { skill } = loadSkill(SKILL, { file: 'told.yaml' });
  if (skill === null) throw new Error('the skill of this test does not load');
  const { turn, advance } = startTurn(compileProgram(skill), { turnId, vars: { input: 'well' } }, Date.now());
  const { written, removed } = turn.takeChanges();
  const { events, outcome = null } = advance;
  const change = { turnId, version: 0, written, removed, events, asked: [], settled: [], outcome };
  expect(await new TurnStore(connection).commit([change], Date.now())).toEqual([1]);
}

describe.skipIf(redis === undefined)('webhooks', () => {
  let rig: HttpRig;
  let receiver: Server;
  let origin: string;
  let received: Received[] = [];
  /** The statuses that the next requests are answered with; 204 after them. */
  let statuses: number[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers } = request;
        received.push({ path: url, headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(statuses.shift() ?? 204, { location: `${origin}/hooks/elsewhere` }).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    rig = await startHttpRig(
      redis!.url,
      () => ({ status: 'error', text: '', error: { code: 'TOOL_FAILED', message: 'no' } }),
      {
        webhooks: { allow: [`${origin}/hooks`], secret_env: 'HOOK_SECRET', attempts: 4 },
        servers: { mill: { url: 'http://mill' } },
      },
      { env: { HOOK_SECRET: SECRET }, webhookRetryMs: 20 },
    );
  });
  afterEach(() => {
    received = [];
    statuses = [];
  });
  afterAll(async () => {
    await rig.stop();
    await new Promise((resolve) => receiver.close(resolve));
    await redis?.stop();
  });

  const submit = (webhook: string, text = SKILL): Promise<TurnResource> =>
    rig.call('submitTurn', { body: { skill: { text }, input: 'well', webhook } });
  const requests = (count: number): Promise<Received[]> =>
    until(
      () => (received.length >= count ? received.slice() : undefined),
      10_000,
      `${count} requests, of which came ${received.length}`,
    );

  it('tell of the end of a turn, signed so that the receiver can see that it was us', async () => {
    const { turnId } = await submit(`${origin}/hooks/done?for=me`);
    const [request] = await requests(1);
    if (request === undefined) throw new Error('no request');
    expect(request.path).toBe('/hooks/done?for=me');
    const { type, turn } = JSON.parse(request.body) as TurnEnded;
    expect(type).toBe('turn.ended');
    expect(turn).toMatchObject({ turnId, status: 'completed', outcome: { answer: 'well' } });
    expect(turn.outcome).not.toHaveProperty('vars');
    const { 'webhook-id': id, 'webhook-timestamp': at } = request.headers;
    expect(Math.abs(Date.now() / 1000 - Number(at))).toBeLessThan(30);
    const signed = createHmac('sha256', SECRET).update(`${String(id)}.${String(at)}.${request.body}`);
    expect(request.headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
  });

  it('are tried again while the receiver is in trouble, under the same id', async () => {
    statuses = [503, 429];
    await submit(`${origin}/hooks/busy`);
    const three = await requests(3);
    expect(new Set(three.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('are given up when the receiver refuses, redirects, or stays in trouble', async () => {
    statuses = [410];
    await submit(`${origin}/hooks/gone`);
    await requests(1);
    statuses = [302];
    await submit(`${origin}/hooks/moved`);
    await requests(2);
    statuses = [500, 500, 500, 500];
    await submit(`${origin}/hooks/down`);
    await requests(6);
    await submit(`${origin}/hooks/last`);
    const paths = (await requests(7)).map(({ path }) => path);
    expect(paths).toEqual([
      '/hooks/gone',
      '/hooks/moved',
      ...Array.from({ length: 4 }, () => '/hooks/down'),
      '/hooks/last',
    ]);
  });

  it('tell again when a turn that was reopened ends again', async () => {
    const text = SKILL.replace('tools: []', 'tools: [mill]').replace(
      /- set: .*/,
      '- call: {tool: "mill:grind"}',
    );
    await rig.cluster.worker('mill');
    const { turnId } = await submit(`${origin}/hooks/twice`, text);
    const [first] = await requests(1);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ turn: { status: 'failed' } });
    await rig.call('resolveJob', { params: { jobId: `${turnId}.0.c` }, body: { text: 'by hand' } });
    const both = await requests(2);
    expect(JSON.parse(both[1]?.body ?? '')).toMatchObject({ turn: { turnId, status: 'completed' } });
    expect(both[0]?.headers['webhook-id']).not.toBe(both[1]?.headers['webhook-id']);
  });

  it('tell of an end that was committed by an orchestrator that died before it could note it, once', async () => {
    const { config } = rig.cluster;
    const cluster = await startCluster(redis!.url, () => ({}), config);
    const { connection, client } = cluster;
    const submitTo = (webhook: string): Promise<TurnId> =>
      client.submitTurn({
        skillText: SKILL,
        file: 'told.yaml',
        vars: { input: 'well' },
        origin: { ...NO_ORIGIN, webhook },
      });
    const turnId = await submitTo(`${origin}/hooks/orphan`);
    await commitWhole(connection, turnId);
    // Nobody is told of the turn any more: only the live set knows of it.
    await connection.redis.del(connection.keys.shard(connection.keys.shardOf(turnId)).results);

    await cluster.orchestrator({ env: { HOOK_SECRET: SECRET }, webhookRetryMs: 20, sweepEveryMs: 200 });
    await requests(1);
    await postStart(connection, turnId);
    await submitTo(`${origin}/hooks/witness`);
    expect((await requests(2)).map(({ path }) => path)).toEqual(['/hooks/orphan', '/hooks/witness']);
    await cluster.close();
  });

  it('go only where the configuration allows', async () => {
    for (const webhook of [
      `${origin}/elsewhere`,
      `${origin}/hooksmith`,
      `${origin}/hooks/..%2f..%2fadmin`,
      'https://example.org/hooks',
      'file:///etc/passwd',
      origin.replace('http://', 'http://user:pass@'),
      'nonsense',
    ]) {
      const body = { skill: { text: SKILL }, webhook };
      expect(await rig.refused('submitTurn', { body })).toMatchObject({ code: 'INPUT_INVALID' });
    }
  });
});
