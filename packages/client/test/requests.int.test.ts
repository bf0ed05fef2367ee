import { SkillyardError } from '@skillyard/contracts';
import { SkillyardClient } from '@skillyard/client';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiDouble, hangUp, json, problem, startApi } from './api-double.ts';

let api: ApiDouble | undefined;
afterEach(() => api?.close());

async function connect(...answers: Parameters<typeof startApi>): Promise<[SkillyardClient, ApiDouble]> {
  api = await startApi(...answers);
  return [new SkillyardClient({ url: `${api.url}/`, apiKey: 'sk_secret' }), api];
}

async function failure(promise: Promise<unknown>): Promise<SkillyardError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!SkillyardError.is(error)) throw new Error('no SkillyardError was thrown', { cause: error });
  return error;
}

describe('an operation of the client', () => {
  it('fills in the path and the query, and sends the key', async () => {
    const [client, { seen }] = await connect(json({ turns: [], next: null }), json({ name: 'a' }));
    await client.listTurns({ status: ['queued', 'failed'], search: 'a&b', limit: 5 });
    await client.getSkill({ name: 'team/triage', version: '1.2' });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v1/turns?status=queued&status=failed&search=a%26b&limit=5',
      'GET /v1/skills/team%2Ftriage?version=1.2',
    ]);
    expect(seen[0]?.headers.authorization).toBe('Bearer sk_secret');
  });

  it('asks for a token before each request', async () => {
    api = await startApi(json({ queues: [] }));
    let asked = 0;
    const client = new SkillyardClient({ url: api.url, token: () => `token${++asked}` });
    await client.listQueues();
    await client.listQueues();
    expect(api.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token1', 'Bearer token2']);
  });

  it('sends an empty body where all of it is optional, and gives nothing back for 204', async () => {
    const [client, { seen }] = await connect(json({ cancelled: true }, 202), (response) => {
      response.writeHead(204).end();
    });
    expect(await client.cancelTurn({ turnId: 't' })).toEqual({ cancelled: true });
    expect(await client.revokeKey({ keyId: 'k' })).toBeUndefined();
    expect(seen[0]?.body).toBe('{}');
    expect(seen[1]).toMatchObject({ method: 'DELETE', url: '/v1/keys/k', body: '' });
  });

  it('throws the code and the detail of a problem', async () => {
    const [client] = await connect(problem(404, 'TURN_NOT_FOUND', 'There is no turn "t".'));
    const error = await failure(client.getTurn({ turnId: 't' }));
    expect(error).toMatchObject({ code: 'TURN_NOT_FOUND', message: 'There is no turn "t".' });
    expect(error.details).toEqual({ status: 404, requestId: 'r1' });
  });

  it('throws API_UNAVAILABLE with what was said for a code it does not know', async () => {
    const [client] = await connect(problem(418, 'TEAPOT', 'short and stout'));
    expect(await failure(client.listQueues())).toMatchObject({
      code: 'API_UNAVAILABLE',
      message: 'TEAPOT: short and stout',
    });
  });

  it('quotes the page of a proxy, and says so of a reply that is not JSON', async () => {
    const [client] = await connect(
      (response) => void response.writeHead(502).end('<h1>Bad Gateway</h1>'),
      (response) => void response.writeHead(200).end('<h1>Welcome</h1>'),
    );
    expect((await failure(client.listQueues())).message).toContain('502 and no problem document: <h1>Bad');
    expect((await failure(client.listQueues())).message).toContain('something that is not JSON');
  });
});

describe('what the client repeats', () => {
  it('repeats a reading after a broken connection, 503 and 429', async () => {
    const [client, { seen }] = await connect(
      hangUp,
      problem(503, 'REDIS_UNAVAILABLE', 'away', { 'retry-after': '0' }),
      problem(429, 'RATE_LIMITED', 'too fast', { 'retry-after': '0' }),
      json({ queues: [] }),
    );
    expect(await client.listQueues()).toEqual({ queues: [] });
    expect(seen).toHaveLength(4);
  });

  it('repeats a submission with the same idempotency key, its own or the one that was given', async () => {
    const turn = json({ turnId: 't' }, 201);
    const [client, { seen }] = await connect(hangUp, turn, hangUp, turn);
    const body = { skill: { name: 'triage' } };
    await client.submitTurn({ body });
    await client.submitTurn({ body, idempotencyKey: 'mine' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys).toEqual([keys[0], keys[0], 'mine', 'mine']);
  });

  it('repeats a reading whose reply breaks off', async () => {
    const [client, { seen }] = await connect(
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
        response.write('{"queues":', () => response.destroy());
      },
      json({ queues: [] }),
    );
    expect(await client.listQueues()).toEqual({ queues: [] });
    expect(seen).toHaveLength(2);
  });

  it('does not repeat what could happen twice', async () => {
    const [client, { seen }] = await connect(hangUp);
    const error = await failure(client.redriveJob({ jobId: 't.0.g' }));
    expect(error.code).toBe('API_UNAVAILABLE');
    expect(error.message).toContain(`POST ${api?.url}/v1/failed-jobs/t.0.g/redrive was not answered`);
    expect(seen).toHaveLength(1);
  });

  it('gives up with the last problem after so many retries, and at once when told to wait for long', async () => {
    api = await startApi(problem(503, 'REDIS_UNAVAILABLE', 'away', { 'retry-after': '0' }));
    const client = new SkillyardClient({ url: api.url, retries: 2 });
    expect((await failure(client.listQueues())).code).toBe('REDIS_UNAVAILABLE');
    expect(api.seen).toHaveLength(3);
    await api.close();
    api = await startApi(problem(429, 'TENANT_LIMIT', 'full', { 'retry-after': '3600' }));
    const other = new SkillyardClient({ url: api.url });
    expect((await failure(other.listQueues())).code).toBe('TENANT_LIMIT');
    expect(api.seen).toHaveLength(1);
  });

  it('gives an attempt up that takes too long, and tries again', async () => {
    api = await startApi(() => undefined, json({ queues: [] }));
    const client = new SkillyardClient({ url: api.url, timeoutMs: 100 });
    expect(await client.listQueues()).toEqual({ queues: [] });
    expect(api.seen).toHaveLength(2);
  });

  it('stops at once when its signal is given, with the reason of the signal', async () => {
    api = await startApi(() => controller.abort(new Error('enough')));
    const controller = new AbortController();
    const client = new SkillyardClient({ url: api.url });
    await expect(client.listQueues({ signal: controller.signal })).rejects.toThrow('enough');
    expect(api.seen).toHaveLength(1);
  });
});
