import { describe, expect, it } from 'vitest';
import { containsWord, namesAny, soughtWord } from './contains-word.ts';

describe('containsWord', () => {
  it.each([
    ['harbour', 'harb'],
    ['HARBOUR', 'harb'],
    ['xbus bus', 'bus'],
    ['mini-bus', 'bus'],
    ['abc-v', '-v'],
    ['bus', '  bus '],
    ['x²bus', 'bus'],
    ['e\u0301bus', 'bus'],
    ['🚌bus', 'bus'],
    ['старый ЛОДКА', 'лодк'],
    ['𐐀b 𐐨', '𐐀'],
  ])('finds in %j the word %j', (text, word) => {
    expect(containsWord(text, word)).toBe(true);
  });

  it.each([
    ['harbour', 'bour'],
    ['my_bus', 'bus'],
    ['٣bus', 'bus'],
    ['𐐨bus', 'bus'],
    ['去北京玩', '北京'],
    ['GRÖSSE', 'größe'],
    ['ΟΔΟΣ', 'οδος'],
    ['', 'bus'],
    ['bus', ''],
    ['bus', ' \u00a0'],
  ])('does not find in %j the word %j', (text, word) => {
    expect(containsWord(text, word)).toBe(false);
  });
});

describe('namesAny', () => {
  it('is content with one of the words', () => {
    const words = ['tram', 'bus'].map(soughtWord);
    expect(namesAny('take the bus', words)).toBe(true);
    expect(namesAny('walk', words)).toBe(false);
    expect(namesAny('walk', [])).toBe(false);
  });
});
