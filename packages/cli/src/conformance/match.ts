/**
 * Compares a result with what a case expects.
 *
 * M1 Everything is compared exactly, objects regardless of the order of their keys, except:
 * M2 `{"$prefix": p, "$tokens": [...]}` stands for any string that starts with `p` and contains every token.
 * M3 `error_mentions`, `mentions` and `expected.unordered` are about a result, not part of it.
 * M4 Lists named as unordered are compared as multisets.
 * M5 A finding may say its `step` and `line` where the case records none.
 */
import { isRecord } from '../is-record.ts';

/** One point in which a result differs from what was expected. */
export interface Difference {
  /** Where: `steps[2].outcome`; empty for the whole. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** Paths (`skipped`, `requests.runner`) of the lists to compare as multisets. */
export type UnorderedPaths = ReadonlySet<string>;

/** Where M3 applies: a variable or an argument may have such a name too. */
const NOT_COMPARED = /^((error\.)?error_mentions|unordered|(findings\[\d*\]\.)?mentions)$/;
/** Where M5 applies. */
const MAY_BE_MORE = /^findings\[\]\.(?:step|line)$/;
const NONE: UnorderedPaths = new Set();

/**
 * @param unordered lists to compare as multisets
 * @returns every difference, in the order of the expectation; empty when the result fits
 */
export function differences(
  expected: unknown,
  actual: unknown,
  unordered: UnorderedPaths = NONE,
): Difference[] {
  const found: Difference[] = [];
  compare(expected, actual, '', unordered, found);
  return found;
}

function compare(
  expected: unknown,
  actual: unknown,
  path: string,
  unordered: UnorderedPaths,
  found: Difference[],
): void {
  if (isPattern(expected)) {
    if (!fitsPattern(expected, actual)) found.push(difference(path, expected, actual));
  } else if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) found.push(difference(path, expected, actual));
    else if (unordered.has(path)) compareMultisets(expected, actual, path, found);
    else compareLists(expected, actual, path, unordered, found);
  } else if (isRecord(expected)) {
    if (!isRecord(actual)) found.push(difference(path, expected, actual));
    else compareRecords(expected, actual, path, unordered, found);
  } else if (expected !== actual) {
    found.push(difference(path, expected, actual));
  }
}

function compareRecords(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
  path: string,
  unordered: UnorderedPaths,
  found: Difference[],
): void {
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  for (const key of keys) {
    const below = path === '' ? key : `${path}.${key}`;
    if (NOT_COMPARED.test(below)) continue;
    const wanted = Object.hasOwn(expected, key) ? expected[key] : undefined;
    const given = Object.hasOwn(actual, key) ? actual[key] : undefined;
    if (wanted === undefined && MAY_BE_MORE.test(below)) continue;
    if (wanted === undefined || given === undefined) {
      if (wanted !== given) found.push(difference(below, wanted, given));
    } else {
      compare(wanted, given, below, unordered, found);
    }
  }
}

function compareLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
  unordered: UnorderedPaths,
  found: Difference[],
): void {
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
    const below = `${path}[${index}]`;
    if (index >= expected.length) found.push(difference(below, undefined, actual[index]));
    else if (index >= actual.length) found.push(difference(below, expected[index], undefined));
    else compare(expected[index], actual[index], below, unordered, found);
  }
}

/** Pairs the members up; with patterns among them the first that fits need not be the right one. */
function compareMultisets(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
  found: Difference[],
): void {
  const partnerOf = new Map<number, number>();
  const fits = (wanted: unknown, given: unknown): boolean => {
    const misfits: Difference[] = [];
    compare(wanted, given, `${path}[]`, NONE, misfits);
    return misfits.length === 0;
  };
  const place = (wanted: number, tried: Set<number>): boolean => {
    for (const [given, value] of actual.entries()) {
      if (tried.has(given) || !fits(expected[wanted], value)) continue;
      tried.add(given);
      const other = partnerOf.get(given);
      if (other === undefined || place(other, tried)) {
        partnerOf.set(given, wanted);
        return true;
      }
    }
    return false;
  };
  for (const [index, wanted] of expected.entries()) {
    if (!place(index, new Set())) found.push(difference(`${path}[]`, wanted, undefined));
  }
  for (const [index, value] of actual.entries()) {
    if (!partnerOf.has(index)) found.push(difference(`${path}[]`, undefined, value));
  }
}

interface Pattern {
  readonly $prefix: string;
  readonly $tokens: readonly string[];
}

function isPattern(value: unknown): value is Pattern {
  return isRecord(value) && typeof value['$prefix'] === 'string' && Array.isArray(value['$tokens']);
}

function fitsPattern(pattern: Pattern, actual: unknown): boolean {
  return (
    typeof actual === 'string' &&
    actual.startsWith(pattern.$prefix) &&
    pattern.$tokens.every((token) => actual.includes(token))
  );
}

function difference(path: string, expected: unknown, actual: unknown): Difference {
  return { path, expected: shown(expected), actual: shown(actual) };
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
