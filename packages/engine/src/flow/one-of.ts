/**
 * `one_of`: which of the declared values an answer decided for (spec section 9).
 *
 * O1 A value is mentioned where it stands as a whole word, in any case.
 * O2 A side needs no word boundary if the value's own character there belongs to a script written without spaces.
 * O3 What cannot be decided stays undecided: a wrong value would look like a decision.
 */
import { foldCase } from './letter-case.ts';
import { stripQuotes } from './strip-quotes.ts';
import { trimSpace } from './white-space.ts';
import { isWordPart } from './word-character.ts';
import { codePointBefore, makeNeedle, type Needle, search } from './word-search.ts';

/** A declared value prepared for being looked for in folded text. */
interface Value {
  readonly declared: string;
  readonly needle: Needle;
  readonly freeBefore: boolean;
  readonly freeAfter: boolean;
}

const QUOTES = '"\'`';

const WITHOUT_SPACES =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/**
 * Reduces an answer to one of the declared values, in time linear in the answer.
 * @param allowed the declared values; with none the answer stays as it is
 * @param markers what a model writes just before it names its choice
 * @returns the value in its declared spelling, empty when the answer does not decide
 */
export function chooseOneOf(text: string, allowed: readonly string[], markers: readonly string[]): string {
  if (allowed.length === 0) return text;
  const answer = foldCase(stripQuotes(trimSpace(text), QUOTES));
  const exact = allowed.find((value) => foldCase(value) === answer);
  if (exact !== undefined) return exact;
  const folded = foldCase(text);
  const values = prepare(allowed);
  const decided = behindLastMarker(folded, markers);
  return firstMentioned(decided, values) ?? mostMentioned(folded, values) ?? '';
}

/** Values that differ in case only are one, in the spelling declared last. An empty value is never mentioned. */
function prepare(allowed: readonly string[]): Value[] {
  const values = new Map<string, Value>();
  for (const declared of allowed) {
    const folded = foldCase(declared);
    if (folded === '') continue;
    values.set(folded, {
      declared,
      needle: makeNeedle(folded),
      freeBefore: WITHOUT_SPACES.test(String.fromCodePoint(folded.codePointAt(0) ?? 0)),
      freeAfter: WITHOUT_SPACES.test(String.fromCodePoint(codePointBefore(folded, folded.length))),
    });
  }
  return [...values.values()];
}

/**
 * The text behind the marker that starts furthest right; of two that start there, the longer one.
 * It is cut off, so that the end of the marker is a boundary. Empty when no marker is there.
 */
function behindLastMarker(folded: string, markers: readonly string[]): string {
  let start = -1;
  let end = folded.length;
  for (const marker of markers) {
    const wanted = foldCase(marker);
    if (wanted === '') continue;
    let last = -1;
    search(folded, makeNeedle(wanted), (at) => {
      last = at;
      return 'next';
    });
    if (last > start || (last === start && last + wanted.length > end)) {
      start = last;
      end = last + wanted.length;
    }
  }
  return start < 0 ? '' : folded.slice(end);
}

/** The value mentioned first; of several that start there, the longest. */
function firstMentioned(folded: string, values: readonly Value[]): string | undefined {
  let first: Value | undefined;
  let firstStart = folded.length;
  for (const value of values) {
    const start = mentions(folded, value, 1).start;
    if (start < 0 || start > firstStart) continue;
    if (start === firstStart && first !== undefined && first.needle.text.length > value.needle.text.length)
      continue;
    first = value;
    firstStart = start;
  }
  return first?.declared;
}

/** The value mentioned strictly most often, which includes the only one mentioned. */
function mostMentioned(folded: string, values: readonly Value[]): string | undefined {
  let most: Value | undefined;
  let highest = 0;
  for (const value of values) {
    const { count } = mentions(folded, value, Infinity);
    if (count === highest) most = undefined;
    if (count <= highest) continue;
    most = value;
    highest = count;
  }
  return most?.declared;
}

/** Counts the mentions of a value that do not overlap, up to a limit, and says where the last one starts. */
function mentions(
  folded: string,
  value: Value,
  limit: number,
): { readonly count: number; readonly start: number } {
  let count = 0;
  let start = -1;
  search(folded, value.needle, (at) => {
    if (!standsAlone(folded, at, value)) return 'next';
    start = at;
    return ++count < limit ? 'behind' : 'stop';
  });
  return { count, start };
}

function standsAlone(folded: string, start: number, value: Value): boolean {
  const end = start + value.needle.text.length;
  return (
    (value.freeBefore || !isWordPart(codePointBefore(folded, start))) &&
    (value.freeAfter || !isWordPart(folded.codePointAt(end) ?? -1))
  );
}
