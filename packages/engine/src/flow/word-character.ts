/** What words are made of: the format asks it in two ways, for `contains` and for `one_of`. */

const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u;
const MARK = /\p{M}/u;

/**
 * A letter, a decimal digit or `_`: what has to be missing before a word starts (spec section 5).
 * @param codePoint -1 where a text has none
 */
export function isWordCharacter(codePoint: number): boolean {
  if (codePoint < 0x80) {
    const letter = codePoint | 0x20;
    return (
      (letter >= 0x61 && letter <= 0x7a) || (codePoint >= 0x30 && codePoint <= 0x39) || codePoint === 0x5f
    );
  }
  return LETTER_OR_DIGIT.test(String.fromCodePoint(codePoint));
}

/** The same and combining marks: what may not touch a whole word (spec section 9). */
export function isWordPart(codePoint: number): boolean {
  return isWordCharacter(codePoint) || (codePoint >= 0x80 && MARK.test(String.fromCodePoint(codePoint)));
}
