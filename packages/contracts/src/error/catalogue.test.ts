import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorEntry } from './catalogue.ts';

const PAGE = new URL('../../../../docs/errors.md', import.meta.url);

/** Rows of the page's tables of codes: `| `CODE` | kind | exit | http | meaning | who |`. */
function documented(): Map<string, Omit<ErrorEntry, 'meaning'>> {
  const rows = readFileSync(PAGE, 'utf8').matchAll(
    /^\| `([A-Z_]+)` \| (\w+) \| (\d+) \| (\d+) \| .+ \| .+ \|$/gm,
  );
  const found = new Map<string, Omit<ErrorEntry, 'meaning'>>();
  for (const [, code = '', kind, exit, http] of rows) {
    expect(found.has(code), `${code} is documented once`).toBe(false);
    found.set(code, { kind: kind as ErrorEntry['kind'], exit: Number(exit), http: Number(http) });
  }
  return found;
}

describe('the error catalogue', () => {
  it('has the codes that docs/errors.md has', () => {
    expect([...documented().keys()].toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  });

  it.each(Object.entries<ErrorEntry>(ERRORS))(
    '%s has the kind, exit code and status of docs/errors.md',
    (code, entry) => {
      const { kind, exit, http } = entry;
      expect(documented().get(code)).toEqual({ kind, exit, http });
    },
  );

  it.each(Object.entries<ErrorEntry>(ERRORS))(
    '%s says what it means in one sentence or more',
    (_code, { meaning }) => {
      expect(meaning).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('gives every kind its exit code, and none that tells something else', () => {
    const exitOf = { caller: 2, terminal: 1, retryable: 4, bug: 1 };
    for (const { kind, exit } of Object.values<ErrorEntry>(ERRORS)) expect(exit).toBe(exitOf[kind]);
  });
});
