import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNumerals, type Numeral, parseNumeral } from './number.ts';

const numeral = (text: string): Numeral => {
  const parsed = parseNumeral(text);
  if (parsed === undefined) throw new Error(`no number: ${text}`);
  return parsed;
};

describe('parseNumeral', () => {
  it.each([
    ['5', 5],
    ['+5', 5],
    ['-5', -5],
    ['007', 7],
    ['5.', 5],
    ['.5', 0.5],
    ['-.5e-1', -0.05],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['1e-400', 0],
  ])('reads %s', (text, double) => {
    expect(numeral(text).double).toBe(double);
  });

  it.each([
    '',
    '.',
    '+',
    '-',
    'e5',
    '1e',
    '1e+',
    '5 ',
    ' 5',
    '1_000',
    '1,5',
    '1 000',
    '0x10',
    '0b1',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e400',
    '9'.repeat(400),
    '6\uff16',
    '٦',
    '5n',
    '--5',
    '1.2.3',
  ])('does not read %j', (text) => {
    expect(parseNumeral(text)).toBeUndefined();
  });
});

describe('compareNumerals', () => {
  it('orders all 64-bit integers exactly', () => {
    const integers = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n }),
    );
    fc.assert(
      fc.property(integers, integers, (left, right) => {
        const order = compareNumerals(numeral(String(left)), numeral(String(right)));
        expect(Math.sign(order)).toBe(left < right ? -1 : Number(left > right));
      }),
      { numRuns: 1000 },
    );
  });

  it('compares as doubles beyond 64 bits and beside a fraction', () => {
    expect(compareNumerals(numeral('99999999999999999999'), numeral('99999999999999999998'))).toBe(0);
    expect(compareNumerals(numeral('9223372036854775808'), numeral('9223372036854775807'))).toBe(0);
    expect(compareNumerals(numeral('9007199254740993'), numeral('9007199254740992.0'))).toBe(0);
    expect(compareNumerals(numeral('9007199254740993'), numeral('9007199254740992'))).toBe(1);
    expect(compareNumerals(numeral('-9223372036854775808'), numeral('-9223372036854775807'))).toBe(-1);
  });
});
