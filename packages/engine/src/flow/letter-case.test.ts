import { describe, expect, it } from 'vitest';
import { foldCase, lowerCase } from './letter-case.ts';

const letters = Array.from({ length: 0x1_1000 * 0x10 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter);

describe('lowerCase', () => {
  it('goes code point by code point', () => {
    expect(lowerCase('ΟΔΟΣ')).toBe('οδοσ');
    expect(lowerCase('οδός')).toBe('οδός');
    expect(lowerCase('İSTANBUL')).toBe('istanbul');
    expect(lowerCase('GRÖẞE K2')).toBe('größe k2');
  });

  it('never changes how long a text is', () => {
    expect(letters.filter((letter) => lowerCase(letter).length !== letter.length)).toEqual([]);
  });
});

describe('foldCase', () => {
  it('agrees with case-insensitive Unicode matching on every letter that has another case', () => {
    const same = (one: string, other: string): boolean =>
      new RegExp(`^\\u{${one.codePointAt(0)?.toString(16)}}$`, 'iu').test(other);
    const wrong = letters.filter((letter) =>
      [letter.toLowerCase(), letter.toUpperCase()]
        .filter((partner) => Array.from(partner).length === 1)
        .some((partner) => same(letter, partner) !== (foldCase(letter) === foldCase(partner))),
    );
    expect(wrong).toEqual([]);
  });

  it('takes the dotted capital I for a plain i', () => {
    expect(foldCase('İSTANBUL')).toBe('istanbul');
  });

  it('never changes how long a text is', () => {
    expect(letters.filter((letter) => foldCase(letter).length !== letter.length)).toEqual([]);
  });

  it('makes texts equal that differ in case only', () => {
    expect(foldCase('ſea Kelvin ΤΈΛΟΣ')).toBe(foldCase('SEA kelvin τέλος'));
    expect(foldCase('ı')).not.toBe(foldCase('i'));
  });
});
