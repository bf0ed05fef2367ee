import type { ServerResponse } from 'node:http';
import { SkillyardClient, type WatchedEvent } from '@skillyard/client';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiDouble, hangUp, json, problem, type Seen, startApi } from './api-double.ts';

let api: ApiDouble | undefined;
afterEach(() => api?.close());

const RUNNING = json({ endedAtMs: null });
const ENDED = json({ endedAtMs: 5, outcome: { status: 'completed' } });

/** The events of a turn with a last one, numbered from 1. */
function message(number: number, total: number): string {
  const data =
    number === total
      ? { event: { type: 'turn.finished', status: 'completed', atMs: 1 }, outcome: { status: 'completed' } }
      : { event: { type: 'step.started', path: String(number), atMs: 1 } };
  return `id: ${number}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Streams from behind the last event that the client names: `count` messages, then whatever `end` does. */
function stream(count: number, total: number, end: (response: ServerResponse) => void) {
  return (response: ServerResponse, { headers }: Seen): void => {
    const after = Number(headers['last-event-id'] ?? 0);
    const numbers = Array.from({ length: count }, (_, index) => after + 1 + index);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`: alive\n\n${numbers.map((number) => message(number, total)).join('')}`, () =>
      end(response),
    );
  };
}

async function collect(events: AsyncIterable<WatchedEvent>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of events) ids.push(id);
  return ids;
}

const close = (response: ServerResponse): void => void response.end();
const breakOff = (response: ServerResponse): void => void response.destroy();
/** In the middle of a message. */
const tear = (response: ServerResponse): void =>
  void response.write('id: 99\ndata: {"ev', () => response.destroy());
const keepSilent = (): void => undefined;

describe('watching a turn', () => {
  it('gives every event once and in order over connections that end, break, tear and fall silent', async () => {
    api = await startApi(
      stream(2, 9, close),
      RUNNING,
      hangUp,
      stream(3, 9, breakOff),
      RUNNING,
      stream(1, 9, tear),
      RUNNING,
      stream(1, 9, keepSilent),
      RUNNING,
      stream(2, 9, keepSilent),
    );
    const client = new SkillyardClient({ url: api.url, timeoutMs: 150 });
    expect(await collect(client.watchTurn({ turnId: 't' }))).toEqual('123456789'.split(''));
    const resumed = api.seen.filter(({ url }) => url.endsWith('/events'));
    expect(resumed.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      '2',
      '2',
      '5',
      '6',
      '7',
    ]);
  });

  it('goes on after the event that it is told', async () => {
    api = await startApi(stream(2, 9, close));
    const client = new SkillyardClient({ url: api.url });
    expect(await collect(client.watchTurn({ turnId: 't', after: '7' }))).toEqual(['8', '9']);
  });

  it('lives through a server that only says that it is alive', async () => {
    const alive = stream(0, 1, breakOff);
    const further = Array.from({ length: 4 }, () => [alive, RUNNING]).flat();
    api = await startApi(...further, stream(1, 1, close));
    const client = new SkillyardClient({ url: api.url, retries: 1 });
    expect(await collect(client.watchTurn({ turnId: 't' }))).toEqual(['1']);
  });

  it('ends without an event when the turn was watched to its end before', async () => {
    api = await startApi(stream(0, 9, close), ENDED, stream(0, 9, close));
    const client = new SkillyardClient({ url: api.url });
    expect(await collect(client.watchTurn({ turnId: 't', after: '9' }))).toEqual([]);
    expect(api.seen).toHaveLength(3);
  });

  it('throws TURN_NOT_FOUND for a turn that is not there', async () => {
    api = await startApi(problem(404, 'TURN_NOT_FOUND', 'gone'));
    const client = new SkillyardClient({ url: api.url });
    await expect(collect(client.watchTurn({ turnId: 't' }))).rejects.toMatchObject({
      code: 'TURN_NOT_FOUND',
    });
  });

  it('throws API_UNAVAILABLE when something else than a stream comes', async () => {
    api = await startApi((response) => void response.end('<h1>Welcome</h1>'));
    const client = new SkillyardClient({ url: api.url });
    await expect(collect(client.watchTurn({ turnId: 't' }))).rejects.toMatchObject({
      code: 'API_UNAVAILABLE',
      message: expect.stringContaining('no event stream: <h1>Welcome') as string,
    });
  });

  it('throws API_UNAVAILABLE when nothing is heard on one connection after another', async () => {
    const mute = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
    };
    api = await startApi(mute, RUNNING, mute, RUNNING, mute);
    const client = new SkillyardClient({ url: api.url, retries: 1, timeoutMs: 50 });
    await expect(collect(client.watchTurn({ turnId: 't' }))).rejects.toMatchObject({
      code: 'API_UNAVAILABLE',
    });
  });

  it('goes on when the server ends the stream because something was away, and throws any other problem', async () => {
    const tell = (code: string) => (response: ServerResponse) => {
      const said = { code, detail: 'so it is', status: 503, instance: 'r1' };
      response.end(`event: problem\ndata: ${JSON.stringify(said)}\n\n`);
    };
    api = await startApi(stream(2, 9, tell('REDIS_UNAVAILABLE')), RUNNING, stream(1, 9, tell('INTERNAL')));
    const client = new SkillyardClient({ url: api.url });
    const seen: string[] = [];
    const watch = async (): Promise<void> => {
      for await (const { id } of client.watchTurn({ turnId: 't' })) seen.push(id);
    };
    await expect(watch()).rejects.toMatchObject({ code: 'INTERNAL', message: 'so it is' });
    expect(seen).toEqual(['1', '2', '3']);
  });

  it('ends without an error when its signal is given', async () => {
    api = await startApi(stream(1, 9, keepSilent));
    const controller = new AbortController();
    const client = new SkillyardClient({ url: api.url });
    const seen: string[] = [];
    for await (const { id } of client.watchTurn({ turnId: 't', signal: controller.signal })) {
      seen.push(id);
      controller.abort();
    }
    expect(seen).toEqual(['1']);
  });

  it('runs a turn: submits it and gives it back with its outcome', async () => {
    api = await startApi(json({ turnId: 't' }, 201), stream(3, 3, close), ENDED);
    const client = new SkillyardClient({ url: api.url });
    const turn = await client.runTurn({ skill: { name: 'triage' } });
    expect(turn.outcome.status).toBe('completed');
    expect(api.seen.map(({ url }) => url)).toEqual(['/v1/turns', '/v1/turns/t/events', '/v1/turns/t']);
  });
});
