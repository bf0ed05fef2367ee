/** The part of a reference behind its name: `.field` and `[index]`, any number of them (spec section 3). */

/** One step of a path. null: an index that fits no integer, so that nothing can lie there. */
export type PathKey = string | number | null;

/** A path read from a text, and where it ends. */
export interface ScannedPath {
  readonly keys: readonly PathKey[];
  readonly end: number;
}

/** The highest index a 64-bit integer holds, in digits. */
const HIGHEST_INDEX = '9223372036854775807';

const NO_KEYS: readonly PathKey[] = [];

/** The end of an ASCII name, or `from` if none starts there. */
export function nameEnd(text: string, from: number): number {
  if (!isNameStart(text.charCodeAt(from))) return from;
  let at = from + 1;
  while (isNameCode(text.charCodeAt(at))) at++;
  return at;
}

/** Reads the longest path that starts at a place. */
export function scanPath(text: string, from: number): ScannedPath {
  let end = from;
  let keys: PathKey[] | undefined;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code === 0x2e) {
      const last = nameEnd(text, end + 1);
      if (last === end + 1) break;
      (keys ??= []).push(text.slice(end + 1, last));
      end = last;
    } else if (code === 0x5b) {
      let last = end + 1;
      while (isDigit(text.charCodeAt(last))) last++;
      if (last === end + 1 || text.charCodeAt(last) !== 0x5d) break;
      (keys ??= []).push(readIndex(text.slice(end + 1, last)));
      end = last + 1;
    } else {
      break;
    }
  }
  return { keys: keys ?? NO_KEYS, end };
}

/** A path as a reference spells it. */
export function pathText(keys: readonly PathKey[]): string {
  return keys.map((key) => (typeof key === 'string' ? `.${key}` : `[${key}]`)).join('');
}

/** Above 2^53 a double is not the index that was written, but nothing lies there in either case. */
function readIndex(digits: string): number | null {
  const significant = digits.replace(/^0+(?=.)/, '');
  const fits =
    significant.length < HIGHEST_INDEX.length ||
    (significant.length === HIGHEST_INDEX.length && significant <= HIGHEST_INDEX);
  return fits ? Number(significant) : null;
}

/** Whether a code unit may stand in an ASCII name, behind its first character. */
export function isNameCode(code: number): boolean {
  return isNameStart(code) || isDigit(code);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNameStart(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x5f;
}
