/**
 * Compares a reply with what was recorded of another implementation.
 *
 * K1 Everything is compared exactly, the order of keys included.
 * K2 `<SESSION_ID>` and its like stand for any value of their form, also inside of a string.
 * K3 `{$preamble}` is what a preamble comes to: its wording is its author's.
 * K4 `{$kit_error}` and `{$kit_message}` are messages of which only the things they name are compared.
 * K5 The first line of a session file may say more than was recorded.
 */
import { isRecord } from '../../is-record.ts';
import type { Difference } from '../match.ts';
import { describePreamble } from './describe-preamble.ts';

/** What stands for a value that is another one each time. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  '<SESSION_ID>': '[0-9a-f]{32}',
  '<MCP_SESSION>': '[0-9a-f]{8,64}',
  '<SESSION_DIR>': '/.+',
  '<ISO_DATE>': String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z`,
  '<WORK>': '/.+',
  '<KIT>': '/.+',
};
const PLACEHOLDER = new RegExp(Object.keys(PLACEHOLDERS).join('|'), 'g');

/** @returns every difference; empty when the reply is what was recorded */
export function compareRecorded(recorded: unknown, actual: unknown, path = ''): Difference[] {
  if (typeof recorded === 'string') return compareText(recorded, actual, path);
  if (Array.isArray(recorded)) return compareLists(recorded, actual, path);
  if (!isRecord(recorded)) return recorded === actual ? [] : [difference(path, recorded, actual)];
  if ('$preamble' in recorded) return comparePreamble(recorded['$preamble'], actual, path);
  if ('$kit_error' in recorded || '$kit_message' in recorded) {
    const missing = unnamed(recorded, String(actual));
    return typeof actual === 'string' && missing.length === 0
      ? []
      : [difference(path, `a message that names ${missing.join(', ')}`, actual)];
  }
  return compareRecords(recorded, actual, path);
}

function difference(path: string, expected: unknown, actual: unknown): Difference {
  return { path, expected: shown(expected), actual: shown(actual) };
}

/** Whether a text is what was recorded, K2 applied. */
function fitsText(recorded: string, actual: string): boolean {
  if (recorded === actual) return true;
  if (recorded.search(PLACEHOLDER) < 0) return false;
  const parts = recorded.split(PLACEHOLDER).map((part) => literally(part));
  const stands = recorded.match(PLACEHOLDER) ?? [];
  const source = parts.map((part, index) => part + (PLACEHOLDERS[stands[index] ?? ''] ?? '')).join('');
  return new RegExp(`^${source}$`, 's').test(actual);
}

/** What a message that is compared by K4 does not name. */
export function unnamed(recorded: Readonly<Record<string, unknown>>, message: string): string[] {
  const wanted = Object.entries(recorded)
    .filter(([key]) => !key.startsWith('$'))
    .flatMap(([, value]): unknown[] => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((value) => value.search(PLACEHOLDER) < 0);
  // A number is one by itself: 1 is not named by 12.
  const numbers: string[] = message.match(/\d+/g) ?? [];
  return wanted.filter((value) => {
    if (!/^\d+$/.test(value)) return !message.includes(value);
    const at = numbers.indexOf(value);
    if (at >= 0) numbers.splice(at, 1);
    return at < 0;
  });
}

function compareText(recorded: string, actual: unknown, path: string): Difference[] {
  if (recorded === '<MS>') return typeof actual === 'number' ? [] : [difference(path, recorded, actual)];
  if (recorded === '<PREAMBLE>')
    return typeof actual === 'string' ? [] : [difference(path, recorded, actual)];
  return typeof actual === 'string' && fitsText(recorded, actual) ? [] : [difference(path, recorded, actual)];
}

function compareLists(recorded: readonly unknown[], actual: unknown, path: string): Difference[] {
  if (!Array.isArray(actual)) return [difference(path, recorded, actual)];
  const length = Math.max(recorded.length, actual.length);
  return Array.from({ length }, (_, index): Difference[] => {
    const below = `${path}[${index}]`;
    if (index >= recorded.length) return [difference(below, undefined, actual[index])];
    if (index >= actual.length) return [difference(below, recorded[index], undefined)];
    return compareRecorded(recorded[index], actual[index], below);
  }).flat();
}

function compareRecords(
  recorded: Readonly<Record<string, unknown>>,
  actual: unknown,
  path: string,
): Difference[] {
  if (!isRecord(actual)) return [difference(path, recorded, actual)];
  const mayHaveMore = recorded['type'] === 'header';
  const found: Difference[] = [];
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(actual)])) {
    const below = path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(recorded, key)) {
      if (!mayHaveMore && actual[key] !== undefined) found.push(difference(below, undefined, actual[key]));
    } else if (Object.hasOwn(actual, key)) {
      found.push(...compareRecorded(recorded[key], actual[key], below));
    } else {
      found.push(difference(below, recorded[key], undefined));
    }
  }
  const order = Object.keys(actual).filter((key) => Object.hasOwn(recorded, key));
  if (found.length === 0 && order.join('\n') !== Object.keys(recorded).join('\n')) {
    found.push(difference(path, `keys in the order ${Object.keys(recorded).join(', ')}`, order.join(', ')));
  }
  return found;
}

function comparePreamble(recorded: unknown, actual: unknown, path: string): Difference[] {
  const lines = isRecord(recorded) ? Number(recorded['standard_intro_lines']) : 0;
  const described = typeof actual === 'string' ? describePreamble(actual, lines) : actual;
  return compareRecorded(recorded, described, path);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
