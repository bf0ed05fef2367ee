import { describe, expect, it } from 'vitest';
import { isTransient } from './asset-failure.ts';
import { connectionFailure, readRetryAfter, statusFailure } from './http-failure.ts';

describe('an answer that is no success', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('HTTP %d is transient', (status) => {
    expect(isTransient(statusFailure('It', status, undefined))).toBe(true);
  });
  it.each([304, 400, 401, 403, 404, 410, 451])('HTTP %d is not', (status) => {
    expect(isTransient(statusFailure('It', status, undefined))).toBe(false);
  });
  it('says how long it wants to be left alone', () => {
    expect(statusFailure('It', 429, 1500)).toMatchObject({
      message: 'It cannot be had at the moment (HTTP 429, and asks to wait 2 s).',
      details: { retryAfterMs: 1500 },
    });
  });
});

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-11-30T10:00:00Z');
  it.each([
    [null, undefined],
    ['3', 3000],
    [' 0 ', 0],
    ['Mon, 30 Nov 2026 10:00:05 GMT', 5000],
    ['Mon, 30 Nov 2026 09:00:00 GMT', 0],
    ['soon', undefined],
  ])('%j is %j ms', (header, expected) => expect(readRetryAfter(header, nowMs)).toBe(expected));
});

describe('a request without an answer', () => {
  const failed = (code: string, message = 'x') =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

  it.each([
    ['ECONNREFUSED', /refused/],
    ['ENOTFOUND', /no such host/],
    ['UND_ERR_SOCKET', /broken off/],
    ['SOMETHING_NEW', /at the moment: x/],
  ])('%s is transient and in words', (code, message) => {
    const failure = connectionFailure('It', failed(code));
    expect(isTransient(failure)).toBe(true);
    expect(failure.message).toMatch(message);
  });

  it('with several addresses of a host has the code of all of them', () => {
    const all = Object.assign(new AggregateError([], 'x'), { message: '', code: 'ECONNREFUSED' });
    expect(connectionFailure('It', new TypeError('fetch failed', { cause: all })).message).toMatch(/refused/);
  });

  it.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'Z_DATA_ERROR',
  ])('%s stays as it is', (code) =>
    expect(isTransient(connectionFailure('It', failed(code, 'bad')))).toBe(false),
  );
});
