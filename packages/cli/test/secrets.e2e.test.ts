import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_ROUTES, type ApiRoute } from '@skillyard/contracts';
import { connect, type QueueConnection } from '@skillyard/queue';
import {
  freePort,
  type ModelServer,
  type NodeProcess,
  type RedisServer,
  startModelServer,
  startRedis,
  toolServerCommand,
  until,
} from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

const redis: RedisServer | undefined = await startRedis();
afterAll(() => redis?.stop());

/** What is secret, by the variable that holds it. */
const SECRETS = {
  MODEL_KEY: 'model-key-7hq2zvw8',
  DEPOT_TOKEN: 'depot-token-m4k9xj3t',
  WEBHOOK_SECRET: 'webhook-secret-p6r1yd5n',
};
/** In the configuration itself, where the names of a server's variables say what they hold. */
const PASSWORD = 'depot-password-c8s2fg0l';
/** Not secret: it has to be found, or the search finds nothing. */
const INPUT = 'Ottilie-of-the-mill';

describe.skipIf(redis === undefined)('secrets', { timeout: 120_000 }, () => {
  const prefix = `cli-${randomUUID().slice(0, 8)}`;
  const env = { REDIS_URL: redis?.url ?? '', ...SECRETS, LOG_LEVEL: 'trace' };
  let place: Workplace;
  let served: NodeProcess;
  let model: ModelServer;
  let connection: QueueConnection;
  let url: string;
  let apiKey: string;
  /** Everything that was told to somebody outside, with where it was. */
  const told: { readonly where: string; readonly text: string }[] = [];
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => told.push({ where: 'webhook', text }));
    request.on('end', () => {
      told.push({ where: 'headers of a webhook', text: JSON.stringify(request.headers) });
      response.end();
    });
  });

  beforeAll(async () => {
    place = await openWorkplace();
    connection = await connect({ url: env.REDIS_URL, prefix });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/ended`;
    // An endpoint that quotes the key it was sent, in what it says and in how it fails.
    model = await startModelServer({
      key: SECRETS.MODEL_KEY,
      script: ({ prompt }) =>
        prompt.includes('badly')
          ? { failure: 'status', status: 400, message: `no quota for ${SECRETS.MODEL_KEY}` }
          : { text: `${prompt} (you sent ${SECRETS.MODEL_KEY})` },
    });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const config = {
      models: {
        m: { provider: 'openai-compatible', model: 'double', base_url: model.url, api_key_env: 'MODEL_KEY' },
      },
      servers: {
        depot: { ...toolServerCommand(), env_from: ['DEPOT_TOKEN'], env: { DEPOT_PASSWORD: PASSWORD } },
      },
      redis: { prefix },
      http: { port, auth: 'required' },
      history: { steps: 'on' },
      webhooks: { allow: [hook], secret_env: 'WEBHOOK_SECRET' },
    };
    await place.write({ 'skillyard.yaml': JSON.stringify(config) });
    served = place.start(['serve'], env);
    await served.wrote('ready: ');
    const made = await place.run(
      [
        'keys',
        'create',
        '--name',
        'all',
        '--tenant',
        '*',
        ...scopes('submit', 'read', 'answer', 'operate', 'admin'),
      ],
      env,
    );
    apiKey = made.stdout.trim();
    for (const how of ['well', 'badly']) {
      const turn = await post('/v1/turns', {
        skill: { text: turnThatAsks(how) },
        input: INPUT,
        webhook: hook,
      });
      await ended(String(turn['turnId']));
    }
    const [first] = (await get('/v1/turns'))['turns'] as { turnId: string }[];
    await until(() => Promise.resolve(told.length >= 4), 15_000, 'both webhooks');
    await readEverything(first?.turnId ?? '');
  });
  afterAll(async () => {
    await served.stop();
    await model.close();
    await connection.close();
    receiver.close();
    await place.remove();
  });

  const headers = (): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });
  const read = async (where: string, response: Response): Promise<string> => {
    const text = await response.text();
    told.push({ where, text: `${text}\n${JSON.stringify([...response.headers])}` });
    return text;
  };
  const get = async (path: string): Promise<Record<string, unknown>> =>
    JSON.parse(await read(`GET ${path}`, await fetch(`${url}${path}`, { headers: headers() }))) as Record<
      string,
      unknown
    >;
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return JSON.parse(await read(`POST ${path}`, response)) as Record<string, unknown>;
  };
  const ended = (turnId: string): Promise<unknown> =>
    until(
      async () => (await get(`/v1/turns/${turnId}`))['outcome'] ?? undefined,
      30_000,
      `the end of ${turnId}`,
    );

  /** Everything that the API lets somebody read. */
  const readEverything = async (turnId: string): Promise<void> => {
    for (const { method, path } of Object.values<ApiRoute>(API_ROUTES)) {
      if (method !== 'GET') continue;
      const filled = path
        .replace('{turnId}', turnId)
        .replace('{jobId}', `${turnId}.2.g0.0`)
        .replaceAll(/\{\w+\}/g, 'test');
      await read(filled, await fetch(`${url}${filled}`, { headers: headers() }));
    }
    // A key in the wrong place is not told back.
    await read('a wrong key', await fetch(`${url}/v1/${apiKey}`, { headers: { 'x-api-key': `${apiKey}x` } }));
  };

  /** Where a text is found: in Redis, in what was told, in the logs. */
  const placesOf = async (text: string): Promise<string[]> => {
    const stored = await everythingIn(connection);
    const all = [...stored, ...told, { where: 'the log', text: served.stdout() + served.stderr() }];
    return all.flatMap((one) => (one.text.includes(text) ? [one.where] : []));
  };

  it('are looked for where something is: what is no secret is found in Redis, in replies and in webhooks', async () => {
    const places = await placesOf(INPUT);
    expect(places).toEqual(expect.arrayContaining(['webhook', expect.stringMatching(/^GET \/v1\/turns\//)]));
    expect(places.some((where) => where.startsWith(`${prefix}:{`))).toBe(true);
    expect(await placesOf('[secret MODEL_KEY]')).not.toEqual([]);
    expect(await placesOf('[secret DEPOT_TOKEN]')).not.toEqual([]);
    // The servers were given what they are for.
    expect(model.requests.length).toBeGreaterThanOrEqual(2);
  });

  it.each(Object.entries({ ...SECRETS, DEPOT_PASSWORD: PASSWORD }))(
    'are nowhere in Redis, logs, replies, streams and webhooks: %s',
    async (_name, secret) => {
      expect(await placesOf(secret)).toEqual([]);
      expect(await placesOf(Buffer.from(secret).toString('base64'))).toEqual([]);
    },
  );

  it('are nowhere in them: the secret of an API key', async () => {
    expect(apiKey).toMatch(/^sky_/);
    const secret = apiKey.split('_').slice(2).join('_');
    // What was asked for in the address is told back, to who asked.
    const places = (await placesOf(secret)).filter((where) => where !== 'a wrong key');
    expect(places).toEqual([]);
  });
});

/** A flow whose tools and model give their secrets away, were nobody to stop them. */
function turnThatAsks(how: string): string {
  const environment = (name: string): object => ({ tool: 'depot:environment', args: { name } });
  return skill(
    [
      { name: 'token', call: { ...environment('DEPOT_TOKEN'), save_as: 'token' } },
      { name: 'password', call: { ...environment('DEPOT_PASSWORD'), save_as: 'password' } },
      { name: 'ask', instruction: `{{input}}, {{token}}, {{password}}: ${how}` },
    ],
    { tools: ['depot'] },
  );
}

function scopes(...names: string[]): string[] {
  return names.flatMap((name) => ['--scope', name]);
}

/** Every value in Redis, whatever its type. */
async function everythingIn({ redis: client }: QueueConnection): Promise<{ where: string; text: string }[]> {
  const found: { where: string; text: string }[] = [];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    found.push({ where: key, text: `${key}\n${JSON.stringify(await valueOf(key, type))}` });
  }
  return found;

  function valueOf(key: string, type: string): Promise<unknown> {
    switch (type) {
      case 'string':
        return client.get(key);
      case 'hash':
        return client.hgetall(key);
      case 'list':
        return client.lrange(key, 0, -1);
      case 'set':
        return client.smembers(key);
      case 'zset':
        return client.zrange(key, '0', '-1', 'WITHSCORES');
      case 'stream':
        return client.xrange(key, '-', '+');
      case 'none':
        return Promise.resolve('it has expired meanwhile');
      default:
        throw new Error(`${key} is of the type ${type}, which nobody looks into`);
    }
  }
}
