import { describe, expect, it } from 'vitest';
import { excerpt, nameList } from './excerpt.ts';

describe('excerpt', () => {
  it('quotes a short value whole and on one line', () => {
    expect(excerpt('two\nlines')).toBe(String.raw`"two\nlines"`);
  });

  it('cuts a long value to about 80 characters', () => {
    const quoted = excerpt('word '.repeat(1000));
    expect(quoted.length).toBeLessThan(90);
    expect(quoted).toContain('word word');
    expect(quoted).toMatch(/…"$/);
  });

  it('does not cut a surrogate pair in two', () => {
    expect(excerpt(`${'x'.repeat(79)}🚀 and more`)).toBe(`"${'x'.repeat(79)}…"`);
  });
});

describe('nameList', () => {
  it('lists twelve names and counts the others', () => {
    const names = Array.from({ length: 15 }, (_, index) => `f${index}`);
    expect(nameList(names)).toBe('f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 and 3 more');
    expect(nameList(['a', 'b'])).toBe('a, b');
  });
});
