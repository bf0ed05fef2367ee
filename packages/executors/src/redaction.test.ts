import type { Config } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redaction.ts';

const config: Config = {
  models: {
    a: {
      provider: 'openai-compatible',
      model: 'x',
      base_url: 'http://me:url-password@host/v1',
      api_key_env: 'MODEL_KEY',
    },
    b: { provider: 'openai', model: 'x' },
    c: { provider: 'scripted', script: 'x.yaml' },
  },
  servers: {
    web: {
      url: 'http://host/mcp?api_key=query-secret&page=1234567890',
      headers: { authorization: 'Bearer header-token-1' },
      headers_env: { 'x-key': 'WEB_KEY' },
    },
    local: {
      command: 'srv',
      args: ['--api-key=flag-secret-1', '--token', 'flag-secret-2', '--port', '1234567890'],
      env: { DB_PASSWORD: 'pass"word-9', REGION: 'north-north' },
      env_from: ['SRV_TOKEN', 'LANG_NAME'],
    },
  },
  assets: {
    http: { allow: [], headers_env: { 'https://host/': { authorization: 'DOCS_AUTH' } } },
    git: { handbook: { url: 'https://host/h', token_env: 'GIT_TOKEN', user: 'me' }, open: { url: 'h' } },
  },
};
const env = {
  MODEL_KEY: 'key-aaaaaaaa',
  OPENAI_API_KEY: 'key-bbbbbbbb',
  WEB_KEY: 'key-cccccccc',
  SRV_TOKEN: 'key-dddddddd',
  LANG_NAME: 'portuguese',
  DOCS_AUTH: 'Bearer key-eeeeeeee',
  GIT_TOKEN: 'key-ffffffff',
  SHORT_KEY: 'abc',
};
const redact = createRedactor(config, env);

describe('redaction', () => {
  it.each([
    ['the key of a model', 'key-aaaaaaaa', '[secret MODEL_KEY]'],
    ['the usual key of a service', 'key-bbbbbbbb', '[secret OPENAI_API_KEY]'],
    ['a header', 'Bearer header-token-1', '[secret authorization]'],
    ['the token of a header', 'header-token-1', '[secret authorization]'],
    ['a header from a variable', 'key-cccccccc', '[secret WEB_KEY]'],
    ['a variable passed on', 'key-dddddddd', '[secret SRV_TOKEN]'],
    ['a variable that is set', 'pass"word-9', '[secret DB_PASSWORD]'],
    ['the same inside JSON', 'pass\\"word-9', '[secret DB_PASSWORD]'],
    ['a password in an address', 'url-password', '[secret password]'],
    ['a key in an address', 'query-secret', '[secret api_key]'],
    ['a key in a flag', 'flag-secret-1', '[secret api-key]'],
    ['a key behind a flag', 'flag-secret-2', '[secret token]'],
    ['a header of an asset', 'key-eeeeeeee', '[secret DOCS_AUTH]'],
    ['the token of a repository', 'key-ffffffff', '[secret GIT_TOKEN]'],
    ['the same as it is sent', btoa('me:key-ffffffff'), '[secret GIT_TOKEN]'],
  ])('takes out %s', (_what, secret, replacement) => {
    expect(redact(`<${secret}>`)).toBe(`<${replacement}>`);
  });

  it('leaves ordinary values alone', () => {
    const text = 'portuguese north-north 1234567890 srv abc';
    expect(redact(text)).toBe(text);
  });

  it('costs nothing when there are no secrets', () => {
    expect(createRedactor({}, env)('key-aaaaaaaa')).toBe('key-aaaaaaaa');
  });
});
