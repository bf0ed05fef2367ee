import { freePort, type HttpToolServer, startHttpToolServer, until } from '@skillyard/testing';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Executors } from '../src/index.ts';
import { callJob, executorsFor, failureText, run } from './jobs.ts';

let server: HttpToolServer;
let executors: Executors;

beforeEach(async () => {
  server = await startHttpToolServer();
  executors = executorsFor(
    {
      servers: {
        shop: {
          url: server.url,
          headers: { 'x-client': 'mill' },
          headers_env: { authorization: 'SHOP_AUTH' },
        },
      },
    },
    { env: { SHOP_AUTH: 'Bearer tok-123456789' } },
  );
});
afterEach(async () => {
  await executors.close();
  await server.close();
});

/** Whether nobody listens on a port any more. */
const refuses = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

const echo = () => run(executors, callJob('shop:echo', { text: 'rye' }));

describe('a call over streamable HTTP', () => {
  it('gives the text of the tool and carries the headers of the configuration', async () => {
    expect(await echo()).toMatchObject({ status: 'ok', text: 'rye', sent: true });
    const last = server.headers.at(-1);
    expect(last).toMatchObject({ 'x-client': 'mill', authorization: 'Bearer tok-123456789' });
  });

  it('speaks the newest revision where the server does', async () => {
    const modern = await startHttpToolServer({ modern: true });
    const own = executorsFor({ servers: { shop: { url: modern.url } } });
    expect(await run(own, callJob('shop:echo', { text: 'new' }))).toMatchObject({
      status: 'ok',
      text: 'new',
    });
    expect(modern.headers.at(-1)?.['mcp-protocol-version']).toBe('2026-07-28');
    await own.close();
    await modern.close();
  });

  it('goes on after the server has forgotten its session', async () => {
    await echo();
    server.forgetSessions();
    expect(await echo()).toMatchObject({ status: 'ok', text: 'rye' });
  });

  it('connects again when the server is back after it was away', async () => {
    await echo();
    const { port } = server;
    await server.close();
    await until(() => refuses(port));
    const away = await echo();
    expect(away).toMatchObject({ status: 'error', sent: false, error: { code: 'SERVER_UNAVAILABLE' } });
    server = await startHttpToolServer({ port });
    expect(await echo()).toMatchObject({ status: 'ok', text: 'rye' });
  });

  it('is lost when the connection breaks in a call to a tool that may run once only', async () => {
    const result = await run(executors, callJob('shop:die'));
    expect(result).toMatchObject({ status: 'lost', sent: true, error: { code: 'STEP_LOST' } });
    expect(await echo()).toMatchObject({ status: 'ok' });
  });
});

describe('a server over HTTP that misbehaves', () => {
  const answer = async (status: number, contentType: string, body: string): Promise<string> => {
    server.answerRaw({ status, contentType, body });
    return failureText(await echo());
  };

  it('cannot be reached', async () => {
    const port = await freePort();
    const own = executorsFor({
      servers: { shop: { url: `http://user:pass-word-1@127.0.0.1:${port}/mcp?token=abcdefgh1` } },
    });
    const text = failureText(await run(own, callJob('shop:echo', { text: 'x' })));
    expect(text).toMatch(
      new RegExp(`^error SERVER_UNAVAILABLE: .*cannot be reached at http://127.0.0.1:${port}/mcp: `),
    );
    expect(text).not.toMatch(/pass-word-1|abcdefgh1/);
  });

  it('is a web page', async () => {
    expect(await answer(200, 'text/html', '<!DOCTYPE html><title>Welcome</title>')).toMatch(
      /^error SERVER_GARBLED: .*not MCP/,
    );
  });

  it('gives JSON that is none, and JSON that is no message', async () => {
    expect(await answer(200, 'application/json', '{"jsonrpc": "2.0", "id"')).toMatch(
      /^error SERVER_GARBLED: /,
    );
    expect(await answer(200, 'application/json', '{"hello": "world"}')).toMatch(/^error SERVER_GARBLED: /);
  });

  it('refuses us: denied, and the place of the credentials', async () => {
    const text = await answer(401, 'text/plain', 'who are you, Bearer tok-123456789?');
    expect(text).toMatch(/^denied TOOL_DENIED: .*HTTP 401.*servers\.shop\.headers_env/);
    expect(text).not.toContain('tok-123456789');
  });

  it('is the wrong address', async () => {
    expect(await answer(404, 'text/plain', 'not found')).toMatch(
      /^error SERVER_GARBLED: .*HTTP 404.*servers\.shop\.url/,
    );
  });

  it('fails', async () => {
    expect(await answer(503, 'text/plain', 'busy')).toMatch(/^error SERVER_UNAVAILABLE: .*HTTP 503/);
  });

  it('answers a call with a page after it had worked', async () => {
    await echo();
    expect(await answer(200, 'text/html', '<html></html>')).toMatch(/^error SERVER_GARBLED: /);
  });

  it('needs a header whose variable is not set', async () => {
    const own = executorsFor({
      servers: { shop: { url: server.url, headers_env: { authorization: 'NOT_SET' } } },
    });
    expect(failureText(await run(own, callJob('shop:echo', { text: 'x' })))).toMatch(
      /^error CONFIG_INVALID: .*NOT_SET is not set.*servers\.shop\.headers_env/,
    );
  });
});
