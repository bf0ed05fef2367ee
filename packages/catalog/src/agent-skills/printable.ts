/**
 * A text of a stranger that goes into a message: without what could take over a screen, and not endless.
 * @param maxChars of the text that are kept
 */
export function printable(text: string, maxChars: number): string {
  const short = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return short.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
}
