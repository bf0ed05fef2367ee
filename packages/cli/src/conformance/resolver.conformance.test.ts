import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readResolverCases, runResolverCase } from './resolver-suite.ts';

const FILE = join(import.meta.dirname, '../../../../conformance/resolver.json');

describe.each(await readResolverCases(FILE, '/'))('recorded: resolve $name', (one) => {
  it('gives what is recorded', () => {
    expect(runResolverCase(one)).toMatchObject({ differences: [], problem: null });
  });
});
