import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type FetchPolicy, SkillyardError, type StepResult } from '@skillyard/contracts';
import { freePort, until } from '@skillyard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { localCopies } from '../src/assets/asset-copies.ts';
import { AssetExecutor } from '../src/assets/asset-executor.ts';
import { FetchRunner } from '../src/assets/fetch-policy.ts';
import { HttpSource } from '../src/assets/http-source.ts';
import { systemTiming } from '../src/assets/timing.ts';
import { assetJob, executorsFor, failureText, run } from './jobs.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers in turn with what it is given, the last answer for ever. */
class Site {
  readonly requests: IncomingMessage[] = [];
  answers: Answer[] = [];
  gone = 0;
  readonly #server: Server = createServer((request, response) => {
    this.requests.push(request);
    response.on('close', () => {
      if (!response.writableFinished) this.gone++;
    });
    const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    answer?.(request, response);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const site = new Site();
const other = new Site();
beforeAll(async () => {
  await site.start();
  await other.start();
});
afterAll(async () => {
  await site.close();
  await other.close();
});
beforeEach(() => {
  for (const one of [site, other]) {
    one.requests.length = 0;
    one.answers = [];
    one.gone = 0;
  }
});

const text =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/plain', ...headers });
    response.end(body);
  };
const redirect = (location: string, status = 302): Answer => text('', status, { location });
const hang: Answer = () => {};

const waits: number[] = [];
afterEach(() => waits.splice(0));

/** The source and its policy as in a worker, except that nobody waits between two attempts. */
function get(
  ref: string,
  policy: Partial<FetchPolicy> = {},
  { allow = [site.origin], maxBytes = 1000, headers = {}, env = {} }: Setup = {},
): Promise<StepResult> {
  const config = { allow, headers_env: headers };
  return run(executorOf(config, env, maxBytes), assetJob('http', ref, policy));
}

interface Setup {
  readonly allow?: string[];
  readonly maxBytes?: number;
  readonly headers?: Record<string, Record<string, string>>;
  readonly env?: Record<string, string>;
}

function executorOf(
  config: { allow: string[]; headers_env: Record<string, Record<string, string>> },
  env: Record<string, string>,
  maxBytes: number,
) {
  const timing = {
    ...systemTiming,
    random: () => 0,
    sleep: (ms: number, signal: AbortSignal) => {
      if (ms < 500 || ms >= 30_000) return systemTiming.sleep(ms, signal);
      waits.push(ms);
      return Promise.resolve();
    },
  };
  const source = new HttpSource({ config, env, maxBytes });
  const asset = new AssetExecutor(new Map([['http', source]]), new FetchRunner(localCopies(), timing));
  return { execute: asset.execute.bind(asset) } as ReturnType<typeof executorsFor>;
}

describe('an asset over HTTP', () => {
  it('is the text of a listed address', async () => {
    site.answers = [text('Größe: ✓\n')];
    expect(await get(`${site.origin}/rules.md?v=1#part`)).toMatchObject({
      status: 'ok',
      text: 'Größe: ✓\n',
    });
    expect(site.requests[0]).toMatchObject({ method: 'GET', url: '/rules.md?v=1' });
    expect(site.requests[0]?.headers['user-agent']).toBe('skillyard');
  });

  it('comes out of executors of a configuration', async () => {
    site.answers = [text('a')];
    const executors = executorsFor({ assets: { http: { allow: [site.origin] } } });
    const job = assetJob('http', site.origin, { ttlMs: 60_000 });
    const results = await Promise.all([run(executors, job), run(executors, job), run(executors, job)]);
    expect(results.map((one) => one.text)).toEqual(['a', 'a', 'a']);
    expect(site.requests).toHaveLength(1);
    const none = await run(executorsFor({}), job);
    expect(failureText(none)).toMatch(/ASSET_UNAVAILABLE: .*List what may under assets\.http\.allow/);
  });

  it('is empty when there is nothing', async () => {
    site.answers = [text('')];
    expect(await get(site.origin)).toMatchObject({ status: 'empty', text: '' });
    site.answers = [text('', 204)];
    expect(await get(site.origin)).toMatchObject({ status: 'empty', text: '' });
  });

  it('is unpacked', async () => {
    site.answers = [text(gzipSync('packed'), 200, { 'content-encoding': 'gzip' })];
    expect(await get(site.origin)).toMatchObject({ status: 'ok', text: 'packed' });
  });

  it('is not asked for at an address that is not listed', async () => {
    for (const ref of [`${other.origin}/a`, site.origin.replace('http', 'https')]) {
      expect(failureText(await get(ref))).toMatch(/may not be fetched: assets\.http\.allow does not list/);
    }
    const below = await get(`${site.origin}/a/..%2fb`, {}, { allow: [`${site.origin}/a`] });
    expect(failureText(below)).toMatch(/may not be fetched/);
    expect([...site.requests, ...other.requests]).toEqual([]);
  });

  it.each([
    ['rules.md', /no address/],
    ['file:///etc/hostname', /no address/],
    ['http://me:word-1234@127.0.0.1/', /holds a user or a password \(http:\/\/127\.0\.0\.1\)/],
  ])('is refused for the ref %j', async (ref, message) => {
    expect(failureText(await get(ref))).toMatch(message);
  });

  it('is refused when the list is none', async () => {
    const result = await get(site.origin, {}, { allow: ['ftp://example.org'] });
    expect(failureText(result)).toMatch(
      /assets\.http\.allow holds "ftp:\/\/example\.org", which is no address/,
    );
  });
});

describe('an address that gives no text', () => {
  it.each([
    [404, /is not there \(HTTP 404\)/],
    [403, /refused to us \(HTTP 403\)/],
    [400, /cannot be had \(HTTP 400\)/],
  ])('is not asked again after HTTP %d', async (status, message) => {
    site.answers = [text('<p>secret page</p>', status)];
    const result = await get(`${site.origin}/a?key=abc`, { retries: 3 });
    expect(failureText(result)).toMatch(message);
    expect(failureText(result)).not.toMatch(/secret page|abc/);
    expect(site.requests).toHaveLength(1);
  });

  it('is asked again after HTTP 500', async () => {
    site.answers = [text('', 500), text('', 503), text('a')];
    expect(await get(site.origin, { retries: 2 })).toMatchObject({ status: 'ok', text: 'a' });
    expect(waits).toEqual([500, 1000]);
    site.answers = [text('', 500)];
    expect(failureText(await get(site.origin, { retries: 2 }))).toMatch(/HTTP 500.*tried 3 times/);
  });

  it('is asked again when it wants, after HTTP 429', async () => {
    site.answers = [text('', 429, { 'retry-after': '7' }), text('a')];
    expect(await get(site.origin, { retries: 1 })).toMatchObject({ status: 'ok' });
    expect(waits).toEqual([7000]);
    site.answers = [text('', 429, { 'retry-after': '3600' })];
    expect(failureText(await get(site.origin, { retries: 1 }))).toMatch(/asks to wait 3600 s/);
  });

  it('hangs, before the answer and in the middle of it', async () => {
    site.answers = [hang];
    expect(failureText(await get(site.origin, { timeoutMs: 40 }))).toMatch(/did not come within 40 ms/);
    site.answers = [
      (_request, response) => {
        response.write('the begin');
      },
    ];
    expect(failureText(await get(site.origin, { timeoutMs: 40 }))).toMatch(/did not come within 40 ms/);
    await until(() => site.gone === 2);
  });

  it('hangs once', async () => {
    site.answers = [hang, text('a')];
    expect(await get(site.origin, { timeoutMs: 100, retries: 1 })).toMatchObject({ status: 'ok' });
  });

  it('breaks off', async () => {
    site.answers = [
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.destroy());
      },
      text('a'),
    ];
    expect(await get(site.origin, { retries: 1 })).toMatchObject({ status: 'ok', text: 'a' });
  });

  it('is away', async () => {
    const ref = `http://127.0.0.1:${await freePort()}/a`;
    const result = await get(ref, { retries: 1 }, { allow: [ref] });
    expect(failureText(result)).toMatch(/at the moment: the connection was refused\. It was tried 2 times/);
  });

  it('is at a port of another protocol', async () => {
    const ref = 'http://127.0.0.1:9/a';
    const result = failureText(await get(ref, { retries: 1 }, { allow: [ref] }));
    expect(result).toMatch(/a port that is not asked over HTTP\.$/);
  });

  it('is not what it says it is packed as', async () => {
    site.answers = [text('plain', 200, { 'content-encoding': 'gzip' })];
    expect(failureText(await get(site.origin, { retries: 1 }))).toMatch(/not answered in proper HTTP/);
    expect(site.requests).toHaveLength(1);
  });

  it('is too large, as it says, or as it turns out, packed or not', async () => {
    site.answers = [text('x'.repeat(1001), 200, { 'content-length': '1001' })];
    expect(failureText(await get(site.origin))).toMatch(/1001 bytes; the limit is 1000/);
    const endless: Answer = (_request, response) => {
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1000), write);
      };
      write();
    };
    site.answers = [endless];
    expect(failureText(await get(site.origin))).toMatch(/more than 1000 bytes; the limit is 1000/);
    await until(() => site.gone > 0);
    site.answers = [text(gzipSync('x'.repeat(1_000_000)), 200, { 'content-encoding': 'gzip' })];
    expect(failureText(await get(site.origin, {}, { maxBytes: 2000 }))).toMatch(/more than 2000 bytes/);
  });

  it('is no UTF-8', async () => {
    site.answers = [
      text(Buffer.from([0x47, 0x72, 0xf6]), 200, { 'content-type': 'text/plain; charset=latin1' }),
    ];
    expect(failureText(await get(site.origin))).toMatch(/is not UTF-8 text/);
  });

  it('follows on_unavailable', async () => {
    site.answers = [text('a'), text('', 404)];
    const allow = { allow: [site.origin], headers_env: {} };
    const executors = executorOf(allow, {}, 1000);
    const job = assetJob('http', site.origin, { onUnavailable: 'stale' });
    expect(await run(executors, job)).toMatchObject({ status: 'ok', text: 'a' });
    const stale = await run(executors, job);
    expect(stale).toMatchObject({ status: 'ok', text: 'a' });
    expect(stale.note).toMatch(/HTTP 404.*The copy of 20\d\d-.* was used/);
    const empty = await run(executors, assetJob('http', site.origin, { onUnavailable: 'empty' }));
    expect(empty).toMatchObject({ status: 'empty', text: '', note: expect.stringMatching(/HTTP 404/) });
  });

  it('is left alone once the turn is cancelled', async () => {
    site.answers = [hang];
    const controller = new AbortController();
    const executors = executorOf({ allow: [site.origin], headers_env: {} }, {}, 1000);
    const job = assetJob('http', site.origin, { retries: 5, onUnavailable: 'empty' });
    const running = run(executors, job, controller.signal);
    await until(() => site.requests.length === 1);
    controller.abort(new SkillyardError('TURN_CANCELLED', 'no longer wanted'));
    expect(failureText(await running)).toBe('error TURN_CANCELLED: no longer wanted');
    await until(() => site.gone === 1);
    expect(site.requests).toHaveLength(1);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('is followed within the list (HTTP %d)', async (status) => {
    site.answers = [redirect('/new', status), text('a')];
    expect(await get(`${site.origin}/old`)).toMatchObject({ status: 'ok', text: 'a' });
    expect(site.requests.map((one) => one.url)).toEqual(['/old', '/new']);
  });

  it('to another listed address is followed', async () => {
    site.answers = [redirect(`${other.origin}/a`)];
    other.answers = [text('a')];
    const allow = [site.origin, other.origin];
    expect(await get(site.origin, {}, { allow })).toMatchObject({ status: 'ok', text: 'a' });
  });

  it('out of the list is not followed, and nothing is asked there', async () => {
    site.answers = [redirect(`${other.origin}/inner?token=abc`)];
    const message = failureText(await get(`${site.origin}/a`));
    expect(message).toContain(`(${other.origin}/inner, where ${site.origin}/a leads) may not be fetched`);
    expect(message).not.toContain('abc');
    site.answers = [redirect('/b'), redirect('file:///etc/hostname')];
    expect(failureText(await get(`${site.origin}/a`))).toMatch(/may not be fetched/);
    expect(other.requests).toEqual([]);
  });

  it('without end is given up', async () => {
    site.answers = [redirect('/again')];
    expect(failureText(await get(site.origin, { retries: 2 }))).toMatch(/too many redirects/);
    expect(site.requests).toHaveLength(6);
  });

  it('to nowhere is none', async () => {
    site.answers = [text('', 302)];
    expect(failureText(await get(site.origin))).toMatch(/a redirect that leads nowhere/);
  });
});

describe('a header of the configuration', () => {
  const env = { SITE_AUTH: 'Bearer tok-123456789' };

  it('is sent where it belongs and nowhere else, redirects included', async () => {
    const setup = {
      allow: [site.origin, other.origin],
      headers: { [`${site.origin}/team`]: { authorization: 'SITE_AUTH' } },
      env,
    };
    site.answers = [redirect(`${other.origin}/a`), text('open')];
    other.answers = [text('a')];
    expect(await get(`${site.origin}/team/a`, {}, setup)).toMatchObject({ status: 'ok', text: 'a' });
    expect(site.requests[0]?.headers.authorization).toBe('Bearer tok-123456789');
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
    await get(`${site.origin}/teammates`, {}, setup);
    expect(site.requests[1]?.headers.authorization).toBeUndefined();
  });

  it('must be set, and fit into a header; neither shows its value', async () => {
    const headers = { [site.origin]: { authorization: 'SITE_AUTH' } };
    expect(failureText(await get(site.origin, {}, { headers }))).toMatch(/SITE_AUTH is not set.*headers_env/);
    const broken = failureText(await get(site.origin, {}, { headers, env: { SITE_AUTH: 'tok-1\nx: y' } }));
    expect(broken).toMatch(/SITE_AUTH cannot be sent/);
    expect(broken).not.toContain('tok-1');
    expect(site.requests).toEqual([]);
  });

  it('is taken out of a text that quotes it', async () => {
    site.answers = [(request, response) => response.end(`you sent ${request.headers.authorization}`)];
    const http = { allow: [site.origin], headers_env: { [site.origin]: { authorization: 'SITE_AUTH' } } };
    const executors = executorsFor({ assets: { http } }, { env });
    const { text: quoted } = await run(executors, assetJob('http', site.origin));
    expect(quoted).toBe('you sent [secret SITE_AUTH]');
  });
});
