/** Numbers of JSON as they are written: `digits` times ten to the power of `exponent`, no digit lost. */
export interface ExactNumber {
  readonly digits: bigint;
  /** The digits end in no zero, and zero has the exponent 0: a number has one form. */
  readonly exponent: number;
}

/** What a schema or a result may reach for. Beyond that, numbers are no longer told apart. */
const LARGEST_EXPONENT = Number.MAX_SAFE_INTEGER / 2;

/** @param text a number of JSON */
export function exactNumber(text: string): ExactNumber {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = withoutZerosAtEnd(digits);
  if (kept === '') return { digits: 0n, exponent: 0 };
  const exponent = Math.max(-LARGEST_EXPONENT, Math.min(LARGEST_EXPONENT, Number(power)));
  return {
    digits: BigInt(`${sign}${kept}`),
    exponent: exponent - fraction.length + (digits.length - kept.length),
  };
}

/** A regular expression would look at each row of zeros once for each zero in it. */
function withoutZerosAtEnd(digits: string): string {
  let { length } = digits;
  while (digits[length - 1] === '0') length -= 1;
  return digits.slice(0, length);
}

/** Below zero: the first one is smaller. */
export function compareExact(one: ExactNumber, other: ExactNumber): number {
  const signs = signOf(one) - signOf(other);
  if (signs !== 0 || one.digits === 0n) return signs;
  // By their length first: numbers that are far apart are never written out.
  const lengths = lengthOf(one) - lengthOf(other);
  if (lengths !== 0) return lengths * signOf(one);
  const exponent = Math.min(one.exponent, other.exponent);
  const difference = at(one, exponent) - at(other, exponent);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Whether a number is a whole multiple of another one, which is not zero. */
export function isMultipleOf(number: ExactNumber, divisor: ExactNumber): boolean {
  if (number.digits === 0n) return true;
  if (divisor.digits === 0n) return false;
  const shift = number.exponent - divisor.exponent;
  if (shift >= 0) return (number.digits * powerOfTen(shift, divisor.digits)) % divisor.digits === 0n;
  // Digits that end in no zero are not divided by ten.
  return false;
}

export function isWhole({ exponent }: ExactNumber): boolean {
  return exponent >= 0;
}

/** The one text of a number, however it was written. */
export function canonicalNumber({ digits, exponent }: ExactNumber): string {
  return `${digits}e${exponent}`;
}

function signOf({ digits }: ExactNumber): number {
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

function lengthOf({ digits, exponent }: ExactNumber): number {
  return String(digits < 0n ? -digits : digits).length + exponent;
}

/** The digits of a number for a smaller exponent. */
function at({ digits, exponent }: ExactNumber, smaller: number): bigint {
  return digits * 10n ** BigInt(exponent - smaller);
}

/** Ten to a power, as far as it matters to a division. */
function powerOfTen(power: number, modulus: bigint): bigint {
  const divisor = modulus < 0n ? -modulus : modulus;
  let [result, base, rest] = [1n, 10n % divisor, power];
  while (rest > 0) {
    if (rest % 2 === 1) result = (result * base) % divisor;
    base = (base * base) % divisor;
    rest = Math.floor(rest / 2);
  }
  return result;
}
