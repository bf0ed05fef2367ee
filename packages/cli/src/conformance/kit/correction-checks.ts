/** What corrections look at in a recorded reply and ours. */
import { isRecord } from '../../is-record.ts';
import { compareRecorded } from './compare-recorded.ts';

export function valueAt(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

/** The empty string when there is no text. */
export function textAt(value: unknown, key: string): string {
  const text = valueAt(value, key);
  return typeof text === 'string' ? text : '';
}

/** Empty when there is no list. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const list = valueAt(value, key);
  return Array.isArray(list) ? list : [];
}

type Fields = Readonly<Record<string, unknown>>;

/** The results that a path of a reply is about, and which field of them. */
export function resultAt(
  reply: { readonly recorded: unknown; readonly actual: unknown },
  path: string,
): { readonly key: string; readonly recorded: Fields; readonly actual: Fields } {
  const [, place = '', index, key = ''] = /^(\w+)(?:\[(\d+)\])?\.(\w+)/.exec(path) ?? [];
  const of = (whole: unknown): Fields => {
    const found = index === undefined ? valueAt(whole, place) : listAt(whole, place)[Number(index)];
    return isRecord(found) ? found : {};
  };
  return { key, recorded: of(reply.recorded), actual: of(reply.actual) };
}

/** The words in which two texts of as many words differ, each pair once; empty when they have not as many. */
export function differingWords(recorded: unknown, actual: unknown): ReadonlyArray<readonly [string, string]> {
  const [before, after] = [recorded, actual].map((text) => String(text).split(/\s+/)) as [string[], string[]];
  if (before.length !== after.length) return [];
  const pairs = before.flatMap((word, index): (readonly [string, string])[] => {
    const now = after[index] ?? '';
    return word === now ? [] : [[word, now]];
  });
  return [...new Map(pairs.map((pair) => [pair.join('\n').replaceAll(/[.,;:!?]/g, ''), pair])).values()];
}

/** Whether a text is the recorded one with something put in at one place. */
export function isInsertion(recorded: unknown, actual: unknown): boolean {
  if (typeof recorded !== 'string' || typeof actual !== 'string' || actual.length <= recorded.length)
    return false;
  let same = 0;
  while (same < recorded.length && recorded[same] === actual[same]) same += 1;
  return actual.endsWith(recorded.slice(same));
}

/** Whether a text is the recorded one with `null` in place of one part. */
export function isNullInstead(recorded: unknown, actual: unknown): boolean {
  if (typeof recorded !== 'string' || typeof actual !== 'string') return false;
  return [...actual.matchAll(/null/g)].some(({ index }) => {
    const [before, after] = [actual.slice(0, index), actual.slice(index + 'null'.length)];
    const fits = recorded.startsWith(before) && recorded.endsWith(after);
    return fits && recorded.length > before.length + after.length;
  });
}

/** A text with the characters that its escapes stand for. */
export function unescaped(text: unknown): string {
  return String(text)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/**
 * Whether a session file is the recorded one without some of its results, and the number on stdout is smaller by as many
 * as are left out.
 */
export function isThinned(recorded: unknown, actual: unknown): boolean {
  const left = [...listAt(recorded, 'session_file_lines')];
  const lines = listAt(actual, 'session_file_lines');
  const fewer = left.length - lines.length;
  for (const line of lines) {
    const at = left.findIndex((one) => compareRecorded(one, line).length === 0);
    if (at < 0 || !left.slice(0, at).every(isResult)) return false;
    left.splice(0, at + 1);
  }
  return (
    left.every(isResult) && Number(valueAt(recorded, 'stdout')) - Number(valueAt(actual, 'stdout')) === fewer
  );
}

function isResult(line: unknown): boolean {
  return typeof valueAt(line, 'kind') === 'string';
}
