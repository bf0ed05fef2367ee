import type { HttpConfig } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { accessMode } from './access-mode.ts';

const jwt = { jwks_url: 'https://a.example/keys', issuer: 'a', audience: 'b' };

describe('who has to say who they are', () => {
  it.each<[HttpConfig, 'required' | 'off']>([
    [{}, 'off'],
    [{ host: 'localhost' }, 'off'],
    [{ auth: 'required' }, 'required'],
    [{ auth: 'off', public_url: 'https://agents.example' }, 'off'],
    [{ host: '0.0.0.0' }, 'required'],
    [{ host: '10.0.0.7' }, 'required'],
    [{ public_url: 'https://agents.example' }, 'required'],
    [{ jwt }, 'required'],
  ])('%j: %s', (http, mode) => {
    expect(accessMode(http)).toBe(mode);
  });

  it('is everybody at an address that others reach, whatever is asked for', () => {
    expect(() => accessMode({ host: '0.0.0.0', auth: 'off' })).toThrow(/can be reached from other machines/);
  });
});
