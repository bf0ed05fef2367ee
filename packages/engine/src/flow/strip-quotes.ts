/**
 * Takes quotes off both ends, any number in any mix; those inside stay.
 * @param quotes the characters that count as quotes
 */
export function stripQuotes(text: string, quotes: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && quotes.includes(text.charAt(start))) start++;
  while (end > start && quotes.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
