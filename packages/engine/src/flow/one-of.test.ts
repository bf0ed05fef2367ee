import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { chooseOneOf } from './one-of.ts';

const SIDES = ['port', 'starboard'];

describe('chooseOneOf', () => {
  it.each([
    ['the answer in any case, quotes taken off', ' `"PORT"` ', 'port'],
    ['the only value mentioned', 'I would say port.', 'port'],
    ['the only value mentioned, however often', 'port, port', 'port'],
    ['the value mentioned strictly most often', 'starboard? no, port. port!', 'port'],
    ['the first value behind the last marker', 'Pick: port? Pick: starboard, not port, port', 'starboard'],
    ['the whole text when nothing stands behind the marker', 'port. Pick: hm', 'port'],
  ])('takes %s', (_, text, expected) => {
    expect(chooseOneOf(text, SIDES, ['pick:'])).toBe(expected);
  });

  it.each(['', 'nothing', 'port or starboard', 'airport', 'ports', 'caféport', 'port_'])(
    'cannot decide over %j',
    (text) => {
      expect(chooseOneOf(text, SIDES, [])).toBe('');
    },
  );

  it('O1 lets dashes, guillemets, emoji and other scripts’ punctuation stand next to a value', () => {
    for (const text of ['«port»', 'port—yes', 'so port🚢', 'port\u00a0now', 'portⅣ', '“port”']) {
      expect(chooseOneOf(text, SIDES, [])).toBe('port');
    }
  });

  it('O2 needs no boundary on a side that belongs to a script without spaces', () => {
    expect(chooseOneOf('我选左边', ['左', '右'], [])).toBe('左');
    expect(chooseOneOf('エラーでした', ['エラー', '正常'], [])).toBe('エラー');
    expect(chooseOneOf('我选A吧', ['A', 'B'], [])).toBe('');
    expect(chooseOneOf('是A类的', ['A类', 'B类'], [])).toBe('');
  });

  it('gives the declared spelling, the last one of values that differ in case only', () => {
    expect(chooseOneOf('well port', ['port', 'PORT'], [])).toBe('PORT');
    expect(chooseOneOf('ſEA', ['sea'], [])).toBe('sea');
  });

  it('takes the longest of the values that start behind the marker', () => {
    for (const allowed of [
      ['yes', 'yes, later'],
      ['yes, later', 'yes'],
    ]) {
      expect(chooseOneOf('Answer: yes, later', allowed, ['Answer:'])).toBe('yes, later');
    }
  });

  it('takes the longer of two markers that start at one place', () => {
    expect(chooseOneOf('port starboard So it is port', ['port', 'starboard', 'it'], ['so', 'so it is'])).toBe(
      'port',
    );
  });

  it('leaves the answer alone when no values are declared', () => {
    expect(chooseOneOf(' as it is ', [], ['x'])).toBe(' as it is ');
  });

  it('never mentions an empty value, but accepts it as the answer', () => {
    expect(chooseOneOf(' ', ['', 'port'], [])).toBe('');
    expect(chooseOneOf('go port', ['', 'port'], [''])).toBe('port');
  });

  it('never throws and answers only with what is declared', () => {
    const words = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '_', '左', 'é', '\u0301', '\ud800', '-', 'İ'),
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 8 }),
        fc.array(words, { minLength: 1, maxLength: 4 }),
        fc.array(words, { maxLength: 2 }),
        (text, allowed, markers) => {
          expect(['', ...allowed]).toContain(chooseOneOf(text.join(''), allowed, markers));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reads hostile repetition a bounded number of times per character', () => {
    const allowed = ['ab'.repeat(200), `${'ab'.repeat(200)}c`, 'ba'];
    const choose = (length: number): string =>
      chooseOneOf('ab'.repeat(length / 2), allowed, ['ab'.repeat(100)]);
    const reads = (length: number): number => {
      const spies = [vi.spyOn(String.prototype, 'charCodeAt'), vi.spyOn(String.prototype, 'codePointAt')];
      choose(length);
      const count = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
      for (const spy of spies) spy.mockRestore();
      return count;
    };
    expect(reads(20_000)).toBeLessThan(reads(2_000) * 11);
    expect(choose(1_000_000)).toBe('');
  });
});
