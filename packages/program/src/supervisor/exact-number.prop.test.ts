import { assert, bigInt, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalNumber, compareExact, exactNumber, isMultipleOf, isWhole } from './exact-number.ts';

const LOWEST_POWER = -6;
const digits = bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
const power = integer({ min: LOWEST_POWER, max: 6 });

/** A million times a number: whole, whatever its power is. */
function scaled(value: bigint, exponent: number): bigint {
  return value * 10n ** BigInt(exponent - LOWEST_POWER);
}

it('orders, divides and writes numbers as whole numbers a million times as large', () => {
  assert(
    property(digits, power, digits, power, (a, x, b, y) => {
      const [one, other] = [exactNumber(`${a}e${x}`), exactNumber(`${b}E${y}`)];
      const [left, right] = [scaled(a, x), scaled(b, y)];
      expect(Math.sign(compareExact(one, other))).toBe(left < right ? -1 : Number(left > right));
      expect(canonicalNumber(one) === canonicalNumber(other)).toBe(left === right);
      expect(isWhole(one)).toBe(left % scaled(1n, 0) === 0n);
      if (b !== 0n) expect(isMultipleOf(one, other)).toBe(left % right === 0n);
    }),
  );
  expect(exactNumber('-120.0500e-2')).toEqual(exactNumber('-1.2005'));
  expect(compareExact(exactNumber('1e999999999'), exactNumber('2e999999999'))).toBeLessThan(0);
});
