/**
 * Numbers in conditions (spec section 5). They are read more narrowly than JavaScript reads them: a `NaN`, a hex
 * number or an infinity would compare with everything and explain nothing.
 */

/** A number read from a text. */
export interface Numeral {
  readonly double: number;
  /** Set for a 64-bit integer that a double may not hold exactly. */
  readonly exact: bigint | undefined;
}

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;
/** No double above it is a 64-bit integer, so that long digits need not become a bigint. */
const BEYOND = 2 ** 63;

/**
 * Reads a number: a sign, digits with a point anywhere among them, an exponent. `+5`, `5.`, `.5` and `1e3` are
 * numbers; `1e-400` is zero, `1e400` is none.
 * @param text without blanks around it
 */
export function parseNumeral(text: string): Numeral | undefined {
  const start = isSign(text.charCodeAt(0)) ? 1 : 0;
  const whole = digitsEnd(text, start);
  let end = whole;
  if (text[whole] === '.') end = digitsEnd(text, whole + 1);
  // A point alone has no digits on either side.
  if (end - start - (end > whole ? 1 : 0) === 0) return undefined;
  const isInteger = end === whole && end === text.length;
  if (text[end] === 'e' || text[end] === 'E') {
    const exponent = isSign(text.charCodeAt(end + 1)) ? end + 2 : end + 1;
    end = digitsEnd(text, exponent);
    if (end === exponent) return undefined;
  }
  if (end !== text.length) return undefined;
  const double = Number(text);
  if (!Number.isFinite(double)) return undefined;
  return { double, exact: isInteger && !Number.isSafeInteger(double) ? asInt64(text, double) : undefined };
}

/**
 * Compares two numbers: exactly if both are integers within 64 bits, as doubles otherwise.
 * An integer that a double holds and one that it does not are in the right order as doubles too, so only two of the
 * latter need more.
 * @returns negative, zero or positive
 */
export function compareNumerals(left: Numeral, right: Numeral): number {
  if (left.exact !== undefined && right.exact !== undefined) {
    return left.exact < right.exact ? -1 : Number(left.exact > right.exact);
  }
  return left.double < right.double ? -1 : Number(left.double > right.double);
}

function asInt64(text: string, double: number): bigint | undefined {
  if (Math.abs(double) > BEYOND) return undefined;
  const integer = BigInt(text);
  return integer >= LOWEST && integer <= HIGHEST ? integer : undefined;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= 0x30 && code <= 0x39; code = text.charCodeAt(at)) at++;
  return at;
}

function isSign(code: number): boolean {
  return code === 0x2b || code === 0x2d;
}
