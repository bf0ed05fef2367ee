import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { codePointBefore, makeNeedle, search, type Verdict } from './word-search.ts';

function places(text: string, wanted: string, verdict: Verdict): number[] {
  const found: number[] = [];
  search(text, makeNeedle(wanted), (start) => {
    found.push(start);
    return verdict;
  });
  return found;
}

function placesByIndexOf(text: string, wanted: string, stride: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + stride)) found.push(at);
  return found;
}

describe('search', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '🚀'), maxLength: 40 });
  const needles = fc.string({ unit: fc.constantFrom('a', 'b', '🚀'), minLength: 1, maxLength: 5 });

  it('finds every place, overlapping ones included, when it goes on at the next character', () => {
    fc.assert(
      fc.property(texts, needles, (text, wanted) => {
        expect(places(text, wanted, 'next')).toEqual(placesByIndexOf(text, wanted, 1));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the places that do not overlap when it goes on behind each', () => {
    fc.assert(
      fc.property(texts, needles, (text, wanted) => {
        expect(places(text, wanted, 'behind')).toEqual(placesByIndexOf(text, wanted, wanted.length));
      }),
      { numRuns: 2000 },
    );
  });

  it('stops when it is told to', () => {
    expect(places('aaa', 'a', 'stop')).toEqual([0]);
  });

  it('reads a text a bounded number of times per character, even when every place is refused', () => {
    const reads = (length: number): number => {
      const spy = vi.spyOn(String.prototype, 'charCodeAt');
      search('a'.repeat(length), makeNeedle('a'.repeat(500)), () => 'next');
      const count = spy.mock.calls.length;
      spy.mockRestore();
      return count;
    };
    expect(reads(40_000)).toBeLessThan(reads(4_000) * 11);
  });
});

describe('codePointBefore', () => {
  it('takes a surrogate pair for one code point and a lone half for itself', () => {
    expect(codePointBefore('🚀', 2)).toBe(0x1f680);
    expect(codePointBefore('a\udc00', 2)).toBe(0xdc00);
    expect(codePointBefore('a', 1)).toBe(0x61);
    expect(codePointBefore('a', 0)).toBe(-1);
  });
});
