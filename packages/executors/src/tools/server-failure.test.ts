import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { callFailure, type ServerFacts, startFailure } from './server-failure.ts';

const facts: ServerFacts = {
  name: 'shop',
  where: 'node srv',
  http: false,
  lastWords: [],
  missingVariables: [],
};
const call = (error: unknown, more: Partial<ServerFacts> = {}) =>
  callFailure(error, { ...facts, ...more }, 'order', 2000);
const status = (code: number) =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status: code });

describe('callFailure', () => {
  it.each([
    [new ProtocolError(-32_602, 'bad sku'), 'TOOL_ARGUMENTS_INVALID', true],
    [new ProtocolError(-32_601, 'Method not found'), 'TOOL_UNKNOWN', false],
    [new ProtocolError(-32_603, 'out of memory'), 'TOOL_FAILED', true],
    [
      new ProtocolError(-32_602, "Structured content does not match the tool's output schema: x"),
      'SERVER_GARBLED',
      true,
    ],
    [new SdkError(SdkErrorCode.RequestTimeout, 'timed out'), 'TOOL_TIMEOUT', true],
    [new SdkError(SdkErrorCode.InvalidResult, 'no content'), 'SERVER_GARBLED', true],
    [new SdkError(SdkErrorCode.NotConnected, 'Not connected'), 'SERVER_UNAVAILABLE', false],
    [new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'), 'SERVER_UNAVAILABLE', true],
    [status(401), 'TOOL_DENIED', false],
    [status(403), 'TOOL_DENIED', false],
    [status(404), 'SERVER_GARBLED', false],
    [status(429), 'SERVER_UNAVAILABLE', false],
    [status(503), 'SERVER_UNAVAILABLE', false],
    [status(500), 'SERVER_UNAVAILABLE', true],
  ])('makes of %s the code %s, sent: %s', (error, code, sent) => {
    const failure = call(error);
    expect([failure.code, failure.details['sent']]).toEqual([code, sent]);
    expect(failure.message).not.toContain('\n');
  });

  it('finds a refused connection in what caused the error, also where several addresses were tried', () => {
    const inner = new AggregateError(
      [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
      'all failed',
    );
    const failure = call(new TypeError('fetch failed', { cause: inner }));
    expect([failure.code, failure.details['sent']]).toEqual(['SERVER_UNAVAILABLE', false]);
  });

  it('says how the process ended and what it wrote last', () => {
    const failure = call(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'), {
      exitReason: 'was killed by SIGKILL',
      lastWords: ['one', 'two'],
    });
    expect(failure.message).toBe(
      'The tool server "shop" (node srv) was killed by SIGKILL during the call of order. It wrote last: one | two',
    );
  });
});

describe('startFailure', () => {
  it('names the variables that should have been passed on', () => {
    const failure = startFailure(
      new Error('closed'),
      { ...facts, exitReason: 'ended with code 1', missingVariables: ['SHOP_TOKEN'] },
      1000,
    );
    expect(failure.message).toMatch(/ended with code 1\. Not set, and named in env_from: SHOP_TOKEN\.$/);
  });
});
