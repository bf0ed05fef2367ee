/**
 * Letter case without context and without a locale, so that a text keeps its length and its places (spec sections 5
 * and 9). `String.prototype.toLowerCase` differs in two points only: the final sigma, and the dotted capital I, which
 * it turns into two code points.
 */

/** Small letters that are a variant of another small letter: the long s, the final sigma, the micro sign... */
const VARIANTS = /[\u0345µſςϐϑϕϖϰϱϵ\u1C80-\u1C88ẛ\u1FBE]/gu;

/** The text in lower case, code point by code point; a final sigma stays what it is. */
export function lowerCase(text: string): string {
  const needsCare = text.includes('İ') || text.includes('Σ');
  return (needsCare ? text.replaceAll('İ', 'i').replaceAll('Σ', 'σ') : text).toLowerCase();
}

/** The text with every difference of case removed, so that two texts equal in any case become the same. */
export function foldCase(text: string): string {
  return lowerCase(text.replace(VARIANTS, (letter) => letter.toUpperCase()));
}
