import { SkillyardClient, type WatchedEvent } from '@skillyard/client';
import { API_ROUTES } from '@skillyard/contracts';
import { type RedisServer, startRedis, startTcpProxy, until } from '@skillyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skillOf } from './cluster.ts';
import { type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const CHAIN = skillOf(`
- {name: first, instruction: "About {{input}}", tools: [], save_as: a}
- {name: second, instruction: "Wait for {{a}}", tools: [], save_as: b}
- {name: last, instruction: "Then {{b}}", tools: [], save_as: answer}
`);

describe.skipIf(redis === undefined)('the client at a real API', () => {
  let rig: HttpRig;
  let client: SkillyardClient;
  /** Lets the second step go on, also one that no worker has taken yet. */
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  beforeAll(async () => {
    rig = await startHttpRig(redis!.url, async (job) => {
      const text = job.kind === 'generate' ? job.instruction : '';
      if (text.startsWith('Wait') && text.includes('slowly')) await released;
      return { text };
    });
    client = new SkillyardClient({ url: rig.url, apiKey: await rig.key('acme') });
  });
  afterAll(async () => {
    release();
    await rig.stop();
    await redis?.stop();
  });

  const body = (input: string) => ({ skill: { text: CHAIN }, input });
  const collect = async (events: AsyncIterable<WatchedEvent>): Promise<WatchedEvent[]> => {
    const all: WatchedEvent[] = [];
    for await (const event of events) all.push(event);
    return all;
  };

  it('has a method for every operation', () => {
    const missing = Object.keys(API_ROUTES).filter((operation) => !(operation in client));
    expect(missing).toEqual([]);
  });

  it('runs a turn, and finds it in the list with its answer', async () => {
    const turn = await client.runTurn({ ...body('bees'), labels: { of: 'client' } });
    expect(turn.outcome.answer).toBe('Then Wait for About bees');
    const page = await client.listTurns({ label: ['of=client'], status: ['completed', 'failed'], limit: 5 });
    expect(page.turns.map(({ turnId }) => turnId)).toEqual([turn.turnId]);
    expect(await client.cancelTurn({ turnId: turn.turnId })).toEqual({ cancelled: false });
  });

  it('gives the same turn for the same idempotency key', async () => {
    const asked = { body: body('twice'), idempotencyKey: 'once-only' };
    const [one, two] = await Promise.all([client.submitTurn(asked), client.submitTurn(asked)]);
    expect(one.turnId).toBe(two.turnId);
  });

  it('throws what the API says, by its code', async () => {
    await expect(client.getTurn({ turnId: 'nowhere' })).rejects.toMatchObject({ code: 'TURN_NOT_FOUND' });
    await expect(collect(client.watchTurn({ turnId: 'nowhere' }))).rejects.toMatchObject({
      code: 'TURN_NOT_FOUND',
    });
    const broken = { skill: { text: CHAIN.replace('instruction', 'instructoin'), file: 'a.yaml' } };
    await expect(client.submitTurn({ body: broken })).rejects.toMatchObject({
      code: 'SKILL_INVALID',
      details: { diagnostics: [expect.stringContaining('a.yaml:')] },
    });
    const stranger = new SkillyardClient({ url: rig.url, apiKey: 'sky_no_key' });
    await expect(stranger.listTurns()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('loses and doubles no event when the network forgets the connection in the middle of a turn', async () => {
    const proxy = await startTcpProxy(Number(new URL(rig.url).port));
    const far = new SkillyardClient({
      url: `http://127.0.0.1:${proxy.port}`,
      apiKey: await rig.key('acme'),
      timeoutMs: 300,
    });
    const { turnId } = await client.submitTurn({ body: body('slowly') });
    const seen: WatchedEvent[] = [];
    const watching = (async () => {
      for await (const event of far.watchTurn({ turnId })) seen.push(event);
    })();
    const isAt = (name: string): boolean =>
      seen.some(({ event }) => event.type === 'step.started' && event.name === name);
    await until(() => isAt('second'), 10_000, 'the second step');
    proxy.freeze();
    release();
    await watching;
    await proxy.close();
    expect(seen).toEqual(await collect(client.watchTurn({ turnId })));
    expect(seen.at(-1)).toMatchObject({
      event: { type: 'turn.finished' },
      outcome: { status: 'completed' },
    });
    const after = seen.at(-3)?.id;
    expect(await collect(client.watchTurn({ turnId, after }))).toEqual(seen.slice(-2));
    expect(await collect(client.watchTurn({ turnId, after: seen.at(-1)?.id }))).toEqual([]);
  });
});
