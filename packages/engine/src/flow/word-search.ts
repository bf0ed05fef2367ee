/**
 * Finding words in texts that nobody vouches for: in linear time, whatever the text repeats (Knuth, Morris, Pratt).
 * A search that starts over after each place that is no word would take time in the product of both lengths.
 */

/** A text prepared for being looked for. */
export interface Needle {
  readonly text: string;
  /** For each length of a match: how much of it is also a beginning of the needle. */
  readonly overlap: readonly number[];
}

/** What a visitor says about a place: go on at the next character, go on behind the match, or stop looking. */
export type Verdict = 'next' | 'behind' | 'stop';

/** Prepares a text, not empty, for being looked for. */
export function makeNeedle(text: string): Needle {
  const overlap = [0];
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = overlap[length - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++;
    overlap.push(length);
  }
  return { text, overlap };
}

/** Visits the places where a needle stands, from left to right. */
export function search(text: string, needle: Needle, visit: (start: number) => Verdict): void {
  const { text: wanted, overlap } = needle;
  const first = wanted.charAt(0);
  let matched = 0;
  let at = 0;
  while (at < text.length) {
    if (matched === 0) {
      at = text.indexOf(first, at);
      if (at < 0) return;
    } else if (text.charCodeAt(at) !== wanted.charCodeAt(matched)) {
      matched = overlap[matched - 1] ?? 0;
      continue;
    }
    matched++;
    at++;
    if (matched < wanted.length) continue;
    const verdict = visit(at - matched);
    if (verdict === 'stop') return;
    matched = verdict === 'behind' ? 0 : (overlap[matched - 1] ?? 0);
  }
}

/** The code point that ends before a place; -1 at the very start. */
export function codePointBefore(text: string, at: number): number {
  if (at === 0) return -1;
  const last = text.charCodeAt(at - 1);
  const isTail = last >= 0xdc00 && last <= 0xdfff;
  return isTail && at > 1 ? pairOr(text.codePointAt(at - 2), last) : last;
}

function pairOr(pair: number | undefined, unit: number): number {
  return pair !== undefined && pair > 0xffff ? pair : unit;
}
