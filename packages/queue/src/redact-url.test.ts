import { expect, it } from 'vitest';
import { redactUrl } from './redact-url.ts';

it('shows an address without its password', () => {
  expect(redactUrl('redis://user:open-sesame@redis.example:6380/2')).toBe(
    'redis://user:***@redis.example:6380/2',
  );
  expect(redactUrl('redis://127.0.0.1:6379')).toBe('redis://127.0.0.1:6379');
  expect(redactUrl('open-sesame')).toBe('(not a URL)');
});
