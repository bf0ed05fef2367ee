/**
 * Where the parts of a JSON text end, found without building anything (RFC 8259, which spec section 4 builds on).
 *
 * Every function takes the place where its part should start and answers with the place behind it, or -1 if there is
 * no such part. Containers are followed with a stack of their own, so that no depth of nesting reaches the call stack.
 */

const QUOTE = 0x22;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** The end of the blanks of JSON: space, tab, line feed, carriage return. */
export function jsonBlankEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

/** The end of a string, both quotes included. */
export function stringEnd(text: string, from: number): number {
  if (text.charCodeAt(from) !== QUOTE) return -1;
  let at = from + 1;
  while (at >= 0) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at = escapeEnd(text, at + 1);
    else if (code >= 0x20) at++;
    else return -1; // a control character, or NaN behind the end of the text
  }
  return -1;
}

/** The end of a value of any kind. */
export function valueEnd(text: string, from: number): number {
  const start = text.charCodeAt(from);
  if (start !== OPEN_OBJECT && start !== OPEN_LIST) return scalarEnd(text, from);
  // What the containers around the current place are closed with.
  const closers: number[] = [];
  let at = from;
  do {
    const code = text.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const closer = code + 2;
      at = jsonBlankEnd(text, at + 1);
      if (text.charCodeAt(at) !== closer) {
        closers.push(closer);
        at = itemValue(text, at, closer);
        continue;
      }
      at++;
    } else {
      at = scalarEnd(text, at);
    }
    at = nextValue(text, at, closers);
  } while (at >= 0 && closers.length > 0);
  return at;
}

/**
 * Where the one value that a text consists of starts.
 * @returns -1 if the text is not JSON
 */
export function documentStart(text: string): number {
  const from = jsonBlankEnd(text, 0);
  const end = valueEnd(text, from);
  return end >= 0 && jsonBlankEnd(text, end) === text.length ? from : -1;
}

/** From the end of a value over the containers it completes to the start of the next value, or to the very end. */
function nextValue(text: string, from: number, closers: number[]): number {
  let at = from;
  while (at >= 0 && closers.length > 0) {
    const closer = closers[closers.length - 1];
    at = jsonBlankEnd(text, at);
    const code = text.charCodeAt(at);
    if (code === COMMA) return itemValue(text, jsonBlankEnd(text, at + 1), closer);
    if (code !== closer) return -1;
    closers.pop();
    at++;
  }
  return at;
}

/** From the start of an item to the start of its value: in an object that is behind the key. */
function itemValue(text: string, from: number, closer: number | undefined): number {
  if (closer === CLOSE_LIST) return from;
  const keyEnd = stringEnd(text, from);
  if (keyEnd < 0) return -1;
  const colon = jsonBlankEnd(text, keyEnd);
  return text.charCodeAt(colon) === COLON ? jsonBlankEnd(text, colon + 1) : -1;
}

function scalarEnd(text: string, from: number): number {
  switch (text.charCodeAt(from)) {
    case QUOTE:
      return stringEnd(text, from);
    case 0x74:
      return text.startsWith('true', from) ? from + 4 : -1;
    case 0x66:
      return text.startsWith('false', from) ? from + 5 : -1;
    case 0x6e:
      return text.startsWith('null', from) ? from + 4 : -1;
    default:
      return numberEnd(text, from);
  }
}

function numberEnd(text: string, from: number): number {
  let at = text.charCodeAt(from) === MINUS ? from + 1 : from;
  // A zero may not be followed by further digits; whoever goes on reading finds them where nothing may stand.
  at = text.charCodeAt(at) === ZERO ? at + 1 : digitsEnd(text, at);
  if (at >= 0 && text.charCodeAt(at) === DOT) at = digitsEnd(text, at + 1);
  if (at < 0) return -1;
  const exponent = text.charCodeAt(at) | 0x20;
  if (exponent !== 0x65) return at;
  const sign = text.charCodeAt(at + 1);
  return digitsEnd(text, sign === 0x2b || sign === MINUS ? at + 2 : at + 1);
}

/** The end of at least one digit. */
function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at > from ? at : -1;
}

/** The end of what follows a backslash. */
function escapeEnd(text: string, from: number): number {
  const escaped = text[from];
  if (escaped === undefined) return -1;
  if (escaped !== 'u') return '"\\/bfnrt'.includes(escaped) ? from + 1 : -1;
  for (let at = from + 1; at <= from + 4; at++) {
    if (!isHexDigit(text.charCodeAt(at))) return -1;
  }
  return from + 5;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}
