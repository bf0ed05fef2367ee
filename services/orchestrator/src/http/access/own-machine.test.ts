import { SkillyardError } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { requireOwnMachine } from './own-machine.ts';

function isLetIn(headers: Readonly<Record<string, string>>, publicUrl?: string): boolean {
  try {
    requireOwnMachine(headers, publicUrl);
    return true;
  } catch (error) {
    if (SkillyardError.is(error, 'FORBIDDEN')) return false;
    throw error;
  }
}

describe('where nobody has to say who they are', () => {
  it.each([
    { host: '127.0.0.1:8080' },
    { host: 'localhost' },
    { host: '[::1]:8080' },
    { host: 'localhost:8080', origin: 'http://localhost:8080' },
    { host: '127.0.0.1:8080', origin: 'http://localhost:5173' },
  ])('lets in a program or page of this machine: %j', (headers) => {
    expect(isLetIn(headers)).toBe(true);
  });

  it.each([
    { host: 'rebound.example:8080' },
    { host: 'localhost.example' },
    { host: '127.0.0.1.example' },
    { host: '' },
    { host: 'localhost:8080', origin: 'https://page.example' },
    { host: 'localhost:8080', origin: 'https://localhost.example' },
    { host: 'localhost:8080', origin: 'null' },
    { host: 'user@page.example' },
  ])('refuses a page of somebody else with FORBIDDEN: %j', (headers) => {
    expect(isLetIn(headers)).toBe(false);
  });

  it('lets in what comes under the name that the operator gave', () => {
    const headers = { host: 'agents.example', origin: 'https://agents.example' };
    expect(isLetIn(headers, 'https://agents.example/skillyard')).toBe(true);
    expect(isLetIn(headers, 'https://other.example')).toBe(false);
  });
});
