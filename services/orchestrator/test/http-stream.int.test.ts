import { type IncomingMessage, request } from 'node:http';
import type { TurnOutcome, TurnResource } from '@skillyard/contracts';
import { type RedisServer, startRedis, until } from '@skillyard/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { skillOf } from './cluster.ts';
import { type CallOptions, type HttpRig, startHttpRig } from './http-rig.ts';

const redis: RedisServer | undefined = await startRedis();

const SKILL = skillOf(`
- {name: one, instruction: One., save_as: a}
- {name: two, instruction: Two., save_as: b}
`);

interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly event: { readonly type: string }; readonly outcome?: TurnOutcome };
}

describe.skipIf(redis === undefined)('event streams', () => {
  let rig: HttpRig;
  /** Lets the generations go on, which wait for it. */
  let open = (): void => {};
  const start = async (
    options: Parameters<typeof startHttpRig>[2] = {},
    orchestrator: Parameters<typeof startHttpRig>[3] = {},
  ): Promise<HttpRig> => {
    const gate = new Promise<void>((resolve) => (open = resolve));
    rig = await startHttpRig(
      redis!.url,
      async () => {
        await gate;
        return { text: 'x' };
      },
      options,
      orchestrator,
    );
    return rig;
  };
  afterEach(async () => {
    open();
    await rig.stop();
  });
  afterAll(async () => redis?.stop());

  const submit = async (key?: string): Promise<string> => {
    const options = { body: { skill: { text: SKILL } }, ...(key !== undefined && { key }) };
    return (await rig.call<TurnResource>('submitTurn', options)).turnId;
  };
  const watch = (turnId: string, options: CallOptions = {}): Promise<Response> =>
    rig.fetch('watchTurn', { params: { turnId }, ...options });
  const connections = async (): Promise<number> => {
    const list = await rig.cluster.connection.redis.client('LIST');
    return String(list).trim().split('\n').length;
  };

  it('sends every event with its id up to the outcome, and goes on after any of them', async () => {
    await start();
    const turnId = await submit();
    const response = await watch(turnId);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    open();
    const all = await messagesOf(response);
    expect(all.map(({ data }) => data.event.type)).toEqual([
      'turn.started',
      'step.started',
      'step.finished',
      'step.started',
      'step.finished',
      'turn.finished',
    ]);
    expect(all.at(-1)?.data.outcome).toMatchObject({ status: 'completed' });
    for (const [index, { id }] of all.entries()) {
      const rest = await messagesOf(await watch(turnId, { headers: { 'last-event-id': id } }));
      expect(rest).toEqual(all.slice(index + 1));
    }
    const wrong = await rig.refused('watchTurn', { params: { turnId }, headers: { 'last-event-id': 'x' } });
    expect(wrong).toMatchObject({ status: 400, code: 'INPUT_INVALID' });
  });

  it('serves hundreds of watchers over one connection to Redis', async () => {
    await start();
    const turnIds = await Promise.all(Array.from({ length: 20 }, () => submit()));
    const before = await connections();
    const streams = await Promise.all(
      turnIds.flatMap((turnId) => Array.from({ length: 10 }, () => watch(turnId))),
    );
    // One that waits for news of all traces.
    await until(async () => (await connections()) === before + 1, 5000, 'there is one connection more');
    open();
    const got = await Promise.all(streams.map(messagesOf));
    expect(got.map((messages) => messages.length)).toEqual(got.map(() => 6));
    expect(got.every((messages) => messages.at(-1)?.data.outcome?.status === 'completed')).toBe(true);
    await until(async () => (await connections()) === before, 5000, 'and none without watchers');
  });

  it('refuses more streams than a tenant or the process may have with TOO_MANY_STREAMS', async () => {
    await start({ http: { max_streams: 3 }, tenants: { mill: { max_streams: 2 } } });
    const [mill, oven] = [await rig.key('mill'), await rig.key('oven')];
    const [one, two] = [await submit(mill), await submit(oven)];
    const leave = new AbortController();
    const first = await watch(one, { key: mill, signal: leave.signal });
    void (await watch(one, { key: mill })).text();
    const refused = await rig.refused('watchTurn', { params: { turnId: one }, key: mill });
    expect(refused).toMatchObject({ status: 429, code: 'TOO_MANY_STREAMS' });
    void (await watch(two, { key: oven })).text();
    const full = await rig.refused('watchTurn', { params: { turnId: two }, key: oven });
    expect(full.code).toBe('TOO_MANY_STREAMS');
    leave.abort();
    await first.text().catch(() => '');
    await until(async () => (await watch(two, { key: oven })).status === 200, 5000, 'a slot is free');
  });

  it('goes on from where a client was that did not read for a while, and keeps nothing for it', async () => {
    await start();
    const turnId = await submit();
    const { port, hostname } = new URL(rig.url);
    const key = await rig.key('*');
    const slow = await new Promise<IncomingMessage>((resolve) => {
      const headers = { authorization: `Bearer ${key}` };
      request({ hostname, port, path: `/v1/turns/${turnId}/events`, headers }, resolve).end();
    });
    slow.pause();
    open();
    await rig.cluster.outcome(turnId as never);
    let text = '';
    for await (const chunk of slow) text += String(chunk);
    expect(parse(text).at(-1)?.data.outcome?.status).toBe('completed');
  });

  it('ends with a problem when the key of who listens is revoked, and gives its slot back', async () => {
    await start({ http: { max_streams: 2 } }, { streamHeartbeatMs: 50 });
    const [mine, turnId] = [await rig.key('default'), await submit()];
    const stays = (await watch(turnId)).text();
    const goes = (await watch(turnId, { key: mine })).text();
    await rig.call('revokeKey', { params: { keyId: mine.split('_')[1] ?? '' } });
    const last = (await goes).trim().split('\n\n').at(-1) ?? '';
    expect(last).toMatch(/^event: problem\ndata: \{.*"status":401,"code":"UNAUTHENTICATED"/);
    await until(async () => (await watch(turnId)).status === 200, 5000, 'a slot is free');
    open();
    expect(parse(await stays).at(-1)?.data.outcome?.status).toBe('completed');
  });

  it('ends open streams when the server stops, each after a whole message', async () => {
    await start();
    const turnId = await submit();
    const response = await watch(turnId);
    const ending = response.text();
    await until(
      async () => (await rig.call<TurnResource>('getTurn', { params: { turnId } })).status === 'running',
      5000,
      'it runs',
    );
    const startedMs = Date.now();
    open();
    await rig.stop();
    expect(Date.now() - startedMs).toBeLessThan(5000);
    expect((await ending).endsWith('\n\n')).toBe(true);
  });
});

async function messagesOf(response: Response): Promise<Message[]> {
  return parse(await response.text());
}

function parse(text: string): Message[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('id: '))
    .map((block) => {
      const [, id = '', event = '', data = ''] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return { id, event, data: JSON.parse(data) as Message['data'] };
    });
}
