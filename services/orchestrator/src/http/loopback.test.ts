import { SkillyardError } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { checkFromHere } from './loopback.ts';

describe('an API without access control', () => {
  it('answers programs and pages of this machine', () => {
    for (const headers of [
      { host: '127.0.0.1:7000' },
      { host: '[::1]:7000' },
      { host: 'localhost:7000', origin: 'http://localhost:5173' },
    ])
      expect(() => checkFromHere(headers)).not.toThrow();
  });

  it('refuses with FORBIDDEN what a page from elsewhere sends, under its own name or under ours', () => {
    for (const headers of [
      {},
      { host: 'evil.example' },
      { host: 'localhost.evil.example:7000' },
      { host: '127.0.0.1:7000', origin: 'https://evil.example' },
      { host: '127.0.0.1:7000', origin: 'null' },
    ])
      expect(() => checkFromHere(headers)).toThrow(
        expect.toSatisfy((error: unknown) => SkillyardError.is(error, 'FORBIDDEN')) as Error,
      );
  });
});
