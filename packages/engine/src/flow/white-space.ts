/**
 * The two kinds of blanks the format knows (spec section 5, last rule): the grammar is written with ASCII blanks,
 * values are trimmed by the Unicode property White_Space. `String.prototype.trim` is neither: it cuts U+FEFF and
 * leaves U+0085.
 */

/**
 * Whether a UTF-16 code unit is White_Space. All of it lies in the basic plane, so code units are enough.
 * @param code as `charCodeAt` gives it; NaN, past the end of a text, is no space
 */
export function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Where the text begins, white space left aside; its length when there is nothing else. */
export function spaceEnd(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** A value without the White_Space around it. */
export function trimSpace(text: string): string {
  const start = spaceEnd(text, 0);
  let end = text.length;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Whether a value holds nothing but White_Space. */
export function isBlank(text: string): boolean {
  return spaceEnd(text, 0) === text.length;
}

/** Whether a code unit is a blank of the grammar: space, tab, line feed, form feed, carriage return. */
function isGrammarBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

/** Where the grammar goes on after its blanks. */
export function grammarBlankEnd(text: string, from: number): number {
  let at = from;
  while (isGrammarBlank(text.charCodeAt(at))) at++;
  return at;
}

/** A piece of the grammar without the blanks around it. */
export function trimGrammarBlanks(text: string): string {
  const start = grammarBlankEnd(text, 0);
  let end = text.length;
  while (end > start && isGrammarBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
