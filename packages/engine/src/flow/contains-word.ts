/**
 * `contains`: whether a text names a word, in any case, where a word starts (spec section 5).
 *
 * The end of a match is free, so that an alternative may be a root. No stemming is needed then, which would be a guess
 * about a language nobody has named.
 */
import { lowerCase } from './letter-case.ts';
import { isBlank, trimSpace } from './white-space.ts';
import { isWordCharacter } from './word-character.ts';
import { codePointBefore, makeNeedle, type Needle, search } from './word-search.ts';

/** A word prepared for being looked for. */
export interface SoughtWord {
  readonly needle: Needle;
  /** Whether it begins with a word character: only then it needs a word's start. */
  readonly anchored: boolean;
}

/** Whether a text names a word. A blank word is never named. */
export function containsWord(text: string, word: string): boolean {
  return !isBlank(word) && namesAny(text, [soughtWord(word)]);
}

/** Prepares a word that is not blank; the white space around it does not matter. */
export function soughtWord(word: string): SoughtWord {
  const needle = makeNeedle(lowerCase(trimSpace(word)));
  return { needle, anchored: isWordCharacter(needle.text.codePointAt(0) ?? -1) };
}

/** Whether a text names at least one of the words. */
export function namesAny(text: string, words: readonly SoughtWord[]): boolean {
  const lower = lowerCase(text);
  return words.some((word) => names(lower, word));
}

function names(lower: string, { needle, anchored }: SoughtWord): boolean {
  let found = false;
  search(lower, needle, (start) => {
    found = !anchored || !isWordCharacter(codePointBefore(lower, start));
    return found ? 'stop' : 'next';
  });
  return found;
}
