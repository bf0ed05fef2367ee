import { connect as openSocket } from 'node:net';
import { type AuditPage, type Config, type HttpConfig, SkillyardError } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { skillOf } from './cluster.ts';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const SKILL = skillOf(`
- name: answer
  instruction: Greet.
`);

describe.skipIf(redis === undefined)('the HTTP server', () => {
  const rigs: HttpRig[] = [];
  const start = async (config: Config & { http?: HttpConfig } = {}, url = redis!.url): Promise<HttpRig> => {
    const rig = await startHttpRig(url, () => ({ text: 'hello' }), config);
    rigs.push(rig);
    return rig;
  };
  afterEach(async () => {
    for (const rig of rigs.splice(0)) await rig.stop();
  });
  afterAll(async () => redis?.stop());

  it('names the field and what is allowed when a request does not fit, with INPUT_INVALID', async () => {
    const { refused } = await start();
    const skill = { text: SKILL };
    const details = async (body: unknown): Promise<string> => {
      const problem = await refused('submitTurn', { body });
      expect(problem).toMatchObject({ status: 400, code: 'INPUT_INVALID' });
      return problem.detail;
    };
    expect(await details({ skill, priority: 10 })).toBe('priority must be <= 9');
    expect(await details({ skill, priority: '5' })).toBe('priority must be integer');
    expect(await details({ skill, mode: 'prose' })).toBe('mode must be one of workflow, playbook, code');
    expect(await details({ skill, urgent: true })).toBe('the body has the unknown key "urgent"');
    expect(await details({})).toBe('the body lacks "skill"');
    expect(await details({ skill: { name: 'x', text: 'y' } })).toBe(
      'skill has the unknown key "text"; or skill has the unknown key "name"',
    );
    // What lists and the console show is of the types they count on, whatever it is called.
    expect(await details({ skill, labels: { 'a b': { c: 1 } } })).toBe('labels has the unknown key "a b"');
    expect(await details({ skill, vars: { 'a\nb': { c: 1 } } })).toMatch(/^vars has the unknown key/);
    expect(await details({ skill, vars: { ['v'.repeat(201)]: '' } })).toMatch(/^vars has the unknown key/);
    expect(await details({ skill, deadlineMs: 1e300 })).toBe('deadlineMs must be <= 8640000000000000');
    const query = async (text: string): Promise<string> =>
      (await refused('listTurns', { query: text })).detail;
    expect(await query('?limit=0')).toBe('limit of the query must be >= 1');
    expect(await query('?limit=many')).toBe('limit of the query must be integer');
    expect(await query('?colour=red')).toBe('the query has the unknown key "colour"');
    expect(await query('?status=odd')).toMatch(/status\.0 of the query must be one of queued, running/);
    expect(await query('?cursor=nonsense')).toMatch(/cursor/);
  });

  it('refuses bodies that are too large, are no JSON, or of another type', async () => {
    const { url, refused, key } = await start({ http: { max_body_bytes: 2048 } });
    const body = { skill: { text: 'x'.repeat(4000) } };
    expect(await refused('submitTurn', { body })).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    const authorization = `Bearer ${await key('mill')}`;
    const post = async (type: string, text: string): Promise<unknown> => {
      const headers = { authorization, 'content-type': type };
      const response = await fetch(`${url}/v1/turns`, { method: 'POST', headers, body: text });
      return response.json();
    };
    const invalid = { status: 400, code: 'INPUT_INVALID' };
    expect(await post('application/json', '{"skill":')).toMatchObject(invalid);
    expect(await post('application/json', '{"__proto__":{}}')).toMatchObject(invalid);
    for (const text of ['hello', JSON.stringify(body)])
      expect(await post('text/plain', text)).toMatchObject({
        ...invalid,
        detail: expect.stringContaining('content-type: application/json') as string,
      });
    expect(await post('application/json', '')).toMatchObject(invalid);
  });

  it('answers unknown addresses and methods with ROUTE_UNKNOWN, and nobody without a key', async () => {
    const { url, fetch: send } = await start({ http: { console: false } });
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/turns'],
      ['GET', '/'],
    ] as const) {
      const response = await fetch(`${url}${path}`, { method });
      expect(await response.json()).toMatchObject({ status: 404, code: 'ROUTE_UNKNOWN' });
    }
    const nobody = await send('getCaller', { headers: { authorization: '' } });
    expect(nobody.headers.get('www-authenticate')).toBe('Bearer');
    expect(await nobody.json()).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  });

  it('sends the headers that protect a browser, and says nothing of its own software', async () => {
    const { fetch: send } = await start();
    const { headers } = await send('getCaller');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('refuses with RATE_LIMITED and Retry-After what comes faster than a tenant may', async () => {
    const { call, refused, key } = await start({ tenants: { mill: { requests_per_minute: 2 } } });
    const [mill, oven] = [await key('mill'), await key('oven')];
    await call('getCaller', { key: mill });
    await call('getCaller', { key: mill });
    const problem = await refused('getCaller', { key: mill });
    expect(problem).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(Number(problem.headers.get('retry-after'))).toBeGreaterThan(0);
    await call('getCaller', { key: oven });
  });

  it('writes an audit line for what is audited, refusals included', async () => {
    const { call, refused, key } = await start();
    const reader = await key('mill', ['read']);
    await call('redriveClass', { params: { class: 'model' } });
    await refused('redriveClass', { params: { class: 'model' }, key: reader });
    await refused('resolveJob', { params: { jobId: 't.0.c' }, body: {} });
    await call('listQueues');
    const { entries } = await call<AuditPage>('listAudit');
    expect(entries.map(({ operation, target, status }) => [operation, target, status])).toEqual([
      ['resolveJob', 't.0.c', 400],
      ['redriveClass', 'model', 403],
      ['redriveClass', 'model', 200],
    ]);
  });

  it('says that it lives and that it can work, without a key', async () => {
    const { url } = await start();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('answers REDIS_UNAVAILABLE within seconds while Redis is away, and works when it is back', async () => {
    const own = await startRedis({ owned: true, appendOnly: true });
    try {
      const rig = await start({}, own!.url);
      await rig.call('listTurns');
      const away = async (): Promise<void> => {
        const startedMs = Date.now();
        const problem = await rig.refused('listTurns');
        expect(problem).toMatchObject({ status: 503, code: 'REDIS_UNAVAILABLE' });
        expect(problem.headers.get('retry-after')).not.toBeNull();
        expect(Date.now() - startedMs).toBeLessThan(10_000);
        expect((await fetch(`${rig.url}/readyz`)).status).toBe(503);
        expect((await fetch(`${rig.url}/healthz`)).status).toBe(200);
      };
      const back = (): Promise<unknown> =>
        until(async () => (await rig.fetch('listTurns')).status === 200, 15_000, 'the API works again');
      await own!.kill();
      await away();
      await own!.restart();
      await back();
      await own!.pause();
      await away();
      await own!.resume();
      await back();
    } finally {
      await rigs.pop()?.stop();
      await own?.stop();
    }
  }, 60_000);

  it('does not start for others without access control', async () => {
    const http = { host: '0.0.0.0', auth: 'off' } as const;
    await expect(start({ http })).rejects.toSatisfy((error) => SkillyardError.is(error, 'CONFIG_INVALID'));
  });

  it('lets everybody do everything on loopback when access control is off', async () => {
    const { call } = await start({ http: { auth: 'off' } });
    expect(await call('getCaller', { headers: { authorization: '' } })).toMatchObject({
      tenant: '*',
      roles: [],
    });
  });

  it('stops although a request is half sent', async () => {
    const rig = await start();
    const { port, hostname } = new URL(rig.url);
    const socket = openSocket({ host: hostname, port: Number(port) });
    socket.write('POST /v1/turns HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf');
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {}).resume();
    await rigs.pop()?.stop();
    await closed;
  });
});
