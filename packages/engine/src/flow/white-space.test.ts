import { describe, expect, it } from 'vitest';
import { isBlank, isSpace, trimGrammarBlanks, trimSpace } from './white-space.ts';

describe('white space of values', () => {
  it('is the Unicode property White_Space, for every code unit there is', () => {
    const property = /\p{White_Space}/u;
    const wrong: number[] = [];
    for (let code = 0; code <= 0xffff; code++) {
      if (isSpace(code) !== property.test(String.fromCharCode(code))) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });

  it('is trimmed at both ends and kept inside', () => {
    expect(trimSpace('\u00a0\u3000\n a b \u0085\r\n')).toBe('a b');
    expect(trimSpace('plain')).toBe('plain');
    expect(trimSpace(' \t')).toBe('');
  });

  it('does not include the byte order mark and the zero-width space', () => {
    expect(trimSpace('\ufeffa\u200b')).toBe('\ufeffa\u200b');
    expect(isBlank('\ufeff')).toBe(false);
    expect(isBlank('\u200b')).toBe(false);
  });

  it('makes a value blank when it is all there is', () => {
    expect(isBlank('')).toBe(true);
    expect(isBlank('\u0085\u2028 ')).toBe(true);
    expect(isBlank(' x ')).toBe(false);
  });
});

describe('blanks of the grammar', () => {
  it('are ASCII only', () => {
    expect(trimGrammarBlanks(' \t\r\n\fa\u00a0 ')).toBe('a\u00a0');
  });
});
