import { codePointBefore, isWordPart, makeNeedle, search } from '@skillyard/engine';

/** Whether a text names a word as a whole: no letter, mark, digit or `_` touches it. */
export function namesWhole(text: string, word: string): boolean {
  if (word === '') return false;
  let found = false;
  search(text, makeNeedle(word), (start) => {
    found =
      !isWordPart(codePointBefore(text, start)) && !isWordPart(text.codePointAt(start + word.length) ?? -1);
    return found ? 'stop' : 'next';
  });
  return found;
}
