import { SkillyardError } from '@skillyard/contracts';
import { APICallError } from 'ai';
import { describe, expect, it } from 'vitest';
import { modelFailure } from './model-failure.ts';

const facts = { name: 'main', where: 'http://host/v1', keyVariable: undefined };
const http = (statusCode: number, more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
  modelFailure(
    new APICallError({ message: 'x', url: 'u', requestBodyValues: {}, statusCode, ...more }),
    facts,
  );

describe('modelFailure', () => {
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '2', 'retry-after-ms': '150' }, 150],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads the time to wait from %j as %s', (responseHeaders, retryAfterMs) => {
    expect(http(429, { responseHeaders }).details['retryAfterMs']).toBe(retryAfterMs);
  });

  it('reads the time to wait from a date', () => {
    const responseHeaders = { 'retry-after': new Date(Date.now() + 60_000).toUTCString() };
    const waitMs = Number(http(503, { responseHeaders }).details['retryAfterMs']);
    expect(waitMs).toBeGreaterThan(55_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
  });

  it.each([
    [400, 'MODEL_REFUSED'],
    [401, 'MODEL_REFUSED'],
    [403, 'MODEL_REFUSED'],
    [404, 'MODEL_REFUSED'],
    [408, 'MODEL_UNAVAILABLE'],
    [422, 'MODEL_REFUSED'],
    [429, 'MODEL_UNAVAILABLE'],
    [502, 'MODEL_UNAVAILABLE'],
    [529, 'MODEL_UNAVAILABLE'],
  ])('maps HTTP %i to %s', (status, code) => {
    expect(http(status).code).toBe(code);
  });

  it('says that no key was sent when none is configured', () => {
    expect(http(401).message).toMatch(/models\.main\.api_key_env/);
  });

  it('names the innermost cause of a broken connection, and takes a silent one for a timeout', () => {
    const cause = Object.assign(new Error('fetch failed'), {
      cause: Object.assign(new Error('getaddrinfo ENOTFOUND host'), { code: 'ENOTFOUND' }),
    });
    const lost = modelFailure(
      new APICallError({ message: 'x', url: 'u', requestBodyValues: {}, cause }),
      facts,
    );
    expect(lost.message).toBe(
      'The model "main" cannot be reached at http://host/v1: getaddrinfo ENOTFOUND host.',
    );
    const silent = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
    expect(
      modelFailure(new APICallError({ message: 'x', url: 'u', requestBodyValues: {}, cause: silent }), facts)
        .code,
    ).toBe('MODEL_TIMEOUT');
  });

  it('says what came instead of JSON', () => {
    expect(http(200, { responseBody: 'OK' }).message).toMatch(/something that is not JSON: "OK"/);
    expect(http(200, { responseBody: '{"models": []}' }).message).toMatch(/JSON of another shape/);
    expect(http(200, { responseBody: '{"error": "no credit."}' }).message).toMatch(
      /an error instead of an answer: no credit\. Check/,
    );
    expect(http(200, { responseBody: '' }).message).toMatch(/cut off/);
  });

  it('keeps an error of ours, and makes one of anything else', () => {
    const own = new SkillyardError('MODEL_KEY_MISSING', 'no key');
    expect(modelFailure(own, facts)).toBe(own);
    expect(modelFailure(new TypeError('choices is undefined\n    at x.js:1:1'), facts)).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: 'The model "main" (http://host/v1) gave an answer that cannot be used: choices is undefined.',
    });
  });
});
