import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { API_ROUTES, type ApiOperation, type ApiScope, type Problem } from '@skillyard/contracts';
import { ApiKeys } from '@skillyard/queue';
import { type RedisServer, startRedis } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpRig, startHttpRig } from './http-rig.ts';
import { startTokenIssuer, type TokenIssuer } from './token-issuer.ts';

/** What everybody may see. Whatever else answers has to be in the table of operations. */
const PUBLIC = new Set(['/', '/healthz', '/readyz', '/v1/openapi.json', '/docs', '/docs/style.css']);
/** Operations of the whole installation: a scope is not enough. */
const FOR_ALL_TENANTS: ReadonlySet<ApiOperation> = new Set(['pauseQueue', 'resumeQueue']);
const SCOPES: readonly ApiScope[] = ['submit', 'read', 'answer', 'operate', 'admin'];
const OPERATIONS = Object.keys(API_ROUTES) as ApiOperation[];
/** What is needed of a server of Fastify: it tells of each route that it is given. */
interface RouteSource {
  addHook(
    name: 'onRoute',
    hook: (route: { readonly method: string | string[]; readonly url: string }) => void,
  ): void;
}

const redis: RedisServer | undefined = await startRedis();

describe.skipIf(redis === undefined)('access to the API', () => {
  let rig: HttpRig;
  let issuer: TokenIssuer;
  /** Every route that Fastify was given: `GET /v1/turns`. */
  const routes: { readonly method: string; readonly url: string }[] = [];
  const watch = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: RouteSource };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ method: one, url });
    });
  };

  beforeAll(async () => {
    issuer = await startTokenIssuer();
    subscribe('fastify.initialization', watch);
    rig = await startHttpRig(redis!.url, () => ({}), { http: { jwt: issuer.config } });
    unsubscribe('fastify.initialization', watch);
  });
  afterAll(async () => {
    await rig.stop();
    await issuer.close();
    await redis?.stop();
  });

  /** The answer to a request for each operation, with these headers: `getTurn 404 TURN_NOT_FOUND`. */
  const tryAll = (headers: Readonly<Record<string, string>>): Promise<Map<ApiOperation, string>> =>
    Promise.all(
      OPERATIONS.map(async (operation) => {
        const { method, path } = API_ROUTES[operation];
        // Of things that are not there.
        const address = path.replaceAll('{jobId}', 'gone.0.c').replaceAll(/\{\w+\}/g, 'gone');
        const response = await fetch(`${rig.url}${address}`, { method, headers });
        const text = await response.text();
        const code = response.ok ? '' : ` ${(JSON.parse(text) as Problem).code}`;
        return [operation, `${response.status}${code}`] as const;
      }),
    ).then((answers) => new Map(answers));
  const bearer = (credential: string): { readonly authorization: string } => ({
    authorization: `Bearer ${credential}`,
  });
  const everywhere = (answer: string): Map<ApiOperation, string> =>
    new Map(OPERATIONS.map((operation) => [operation, answer]));

  /** Looks whether somebody gets past the gate of exactly those operations that the scopes are for. */
  const expectScopes = (
    answers: ReadonlyMap<ApiOperation, string>,
    { tenant, scopes }: { readonly tenant: string; readonly scopes: readonly ApiScope[] },
  ): void => {
    for (const operation of OPERATIONS) {
      const { scope } = API_ROUTES[operation];
      const isOpen =
        (scope === null || scopes.includes(scope)) && (tenant === '*' || !FOR_ALL_TENANTS.has(operation));
      const answer = answers.get(operation) ?? '';
      if (isOpen) expect([operation, answer]).toEqual([operation, expect.stringMatching(/^(2|400|404)/)]);
      else expect([operation, answer]).toEqual([operation, '403 FORBIDDEN']);
    }
  };

  it('is asked for at every route that there is, but for a few that everybody may see', () => {
    const inTable = new Set(
      OPERATIONS.map((operation) => {
        const { method, path } = API_ROUTES[operation];
        return `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      }),
    );
    expect(routes.length).toBeGreaterThan(OPERATIONS.length);
    const unknown = routes.filter(({ method, url }) => {
      const isRead = method === 'GET' || method === 'HEAD';
      if (inTable.has(`${isRead ? 'GET' : method} ${url}`)) return false;
      // The files of the console are those of one folder.
      return !(isRead && (PUBLIC.has(url) || url === '/*'));
    });
    expect(unknown).toEqual([]);
  });

  it('is refused with UNAUTHENTICATED to whoever has no key, or one that is not valid', async () => {
    const keys = new ApiKeys(rig.cluster.connection);
    const revoked = await keys.create({ name: 'x', scopes: [...SCOPES] }, 'test');
    await keys.revoke(revoked.key.keyId, '*');
    const past = new ApiKeys(rig.cluster.connection, () => Date.now() - 10_000);
    const expired = await past.create(
      { name: 'x', scopes: [...SCOPES], expiresAtMs: Date.now() - 5000 },
      'test',
    );
    const good = await rig.key('acme');
    const refused = {
      'no credential': {},
      'an empty header': { authorization: '' },
      'a wrong key': bearer(`sky_0123456789abcdef_${'A'.repeat(43)}`),
      'a wrong secret': bearer(`${good.slice(0, -3)}AAA`),
      'a revoked key': bearer(revoked.secret),
      'an expired key': bearer(expired.secret),
      'another scheme': { authorization: `Basic ${Buffer.from(`x:${good}`).toString('base64')}` },
      'a key in the wrong place': { cookie: `authorization=${good}; x-api-key=${good}` },
      'a wrong key in its own header': { 'x-api-key': 'sky_x_y' },
    };
    for (const [what, headers] of Object.entries(refused))
      expect([what, await tryAll(headers)]).toEqual([what, everywhere('401 UNAUTHENTICATED')]);
  });

  it('is refused with UNAUTHENTICATED to whoever has a token that is not valid', async () => {
    for (const [what, token] of Object.entries(await issuer.forgeries()))
      expect([what, await tryAll(bearer(token))]).toEqual([what, everywhere('401 UNAUTHENTICATED')]);
  });

  it.each(SCOPES)(
    'with a key of the scope %s is to what the table says, and to nothing else',
    async (scope) => {
      for (const tenant of ['acme', '*']) {
        const answers = await tryAll(bearer(await rig.key(tenant, [scope])));
        expectScopes(answers, { tenant, scopes: [scope] });
      }
    },
  );

  it('with a token is to what its scopes say; words that are no scope give nothing', async () => {
    const some = await tryAll(bearer(await issuer.token({ scope: 'openid submit operate root' })));
    expectScopes(some, { tenant: 'acme', scopes: ['submit', 'operate'] });
    expectScopes(await tryAll(bearer(await issuer.token({ scope: undefined }))), {
      tenant: 'acme',
      scopes: [],
    });
    const all = await tryAll(bearer(await issuer.token({ tenant: '*', scope: [...SCOPES] })));
    expectScopes(all, { tenant: '*', scopes: SCOPES });
    expect(issuer.fetches()).toBe(1);
  });

  it('says whom it takes the caller for', async () => {
    const response = await fetch(`${rig.url}/v1/me`, {
      headers: { 'x-api-key': await rig.key('acme', ['read']) },
    });
    expect(await response.json()).toEqual({
      tenant: 'acme',
      subject: expect.stringMatching(/^key:[0-9a-f]{16}$/) as string,
      scopes: ['read'],
      roles: [],
    });
    const token = await issuer.token({ roles: ['baker', 'guest'], scope: 'read openid' });
    expect(await rig.call('getCaller', { key: token })).toEqual({
      tenant: 'acme',
      subject: 'jwt:olga',
      scopes: ['read'],
      roles: ['baker', 'guest'],
    });
  });

  it('is revoked at once', async () => {
    const { key, secret } = await rig.call<{ key: { keyId: string }; secret: string }>('createKey', {
      body: { name: 'short', scopes: ['read'] },
    });
    await rig.call('listTurns', { key: secret });
    await rig.call('revokeKey', { params: { keyId: key.keyId } });
    expect(await rig.refused('listTurns', { key: secret })).toMatchObject({ status: 401 });
  });

  it('is open where auth is off, but not to the page of somebody else', async () => {
    const http = { auth: 'off', public_url: 'https://agents.example' } as const;
    const open = await startHttpRig(redis!.url, () => ({}), { http });
    try {
      const from = (headers: Readonly<Record<string, string>>): Promise<Response> =>
        fetch(`${open.url}/v1/turns/gone/cancel`, { method: 'POST', headers });
      expect((await from({})).status).toBe(404);
      expect((await from({ origin: open.url })).status).toBe(404);
      expect((await from({ origin: 'https://agents.example' })).status).toBe(404);
      expect((await from({ origin: 'https://page.example' })).status).toBe(403);
    } finally {
      await open.stop();
    }
  });

  it('cannot be judged while the keys of the issuer cannot be read: API_UNAVAILABLE, and keys of ours still work', async () => {
    const token = await issuer.token();
    const broken = await startTokenIssuer();
    broken.breakDown();
    const other = await startHttpRig(redis!.url, () => ({}), { http: { jwt: broken.config } });
    try {
      expect(await other.refused('getCaller', { key: token })).toMatchObject({
        status: 503,
        code: 'API_UNAVAILABLE',
      });
      await other.call('getCaller');
    } finally {
      await other.stop();
      await broken.close();
    }
  });
});
