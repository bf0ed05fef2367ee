import type { JsonObject } from '@skillyard/contracts';
import { jsonObjectOf } from './json-of.ts';
import { emptyMap, type MapNode, type Node } from './node.ts';
import { below, pathOf, type Place } from './place.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';
import { flagOf, isNullScalar, numberOf, textOf } from './scalar.ts';

/** What reading a file has at hand. */
export interface Reading {
  readonly report: Report;
  /** The file declares a version older than 2.5.0: what came with 2.5.0 is not complained about here. */
  readonly older: boolean;
}

/**
 * How the value of one key is read, and what it is when the key is absent or null.
 * A value of the wrong type is reported and read as if it were not there.
 */
export interface Field<T, Absent> {
  readonly absent: Absent;
  read(node: Node, place: Place, reading: Reading): T;
}

/** The keys that a mapping of the format may have. */
export type Shape = Readonly<Record<string, Field<unknown, unknown>>>;

/** A mapping after reading: the keys of its shape, and where it stands. */
export type Block<S extends Shape> = Located & { readonly [K in keyof S]: Value<S[K]> };
type Value<F> = F extends Field<infer T, infer Absent> ? T | Absent : never;

export interface Located {
  /** The mapping as written. */
  readonly node: MapNode;
  readonly place: Place;
}

/** Text. Any scalar is text as it is spelled; null is no text. */
export const text: Field<string, ''> = {
  absent: '',
  read(node, place, reading) {
    if (node.kind === 'text') return textOf(node);
    return wrongType(
      node,
      place,
      reading,
      ['text', 'Write a text on one line, or a block text after `|`.'],
      '',
    );
  },
};

/** A whole number. */
export const integer: Field<number | null, null> = {
  absent: null,
  read(node, place, reading) {
    if (isNull(node)) return null;
    const value = node.kind === 'text' ? numberOf(node) : undefined;
    if (value !== undefined && Number.isSafeInteger(value)) return value;
    return wrongType(node, place, reading, ['a whole number', 'Write digits only, without quotes: 3.'], null);
  },
};

/** Any number. */
export const number: Field<number | null, null> = {
  absent: null,
  read(node, place, reading) {
    if (isNull(node)) return null;
    const value = node.kind === 'text' ? numberOf(node) : undefined;
    return (
      value ?? wrongType(node, place, reading, ['a number', 'Write a number without quotes: 0.2.'], null)
    );
  },
};

/** Yes or no. The words of YAML 1.1 (`yes`, `off`...) count as well: here they can mean nothing else. */
export const flag: Field<boolean, false> = {
  absent: false,
  read(node, place, reading) {
    if (isNull(node)) return false;
    const value =
      node.kind === 'text' ? (flagOf(node) ?? wordFlagOf(node.plain ? node.text : '')) : undefined;
    return (
      value ??
      wrongType(node, place, reading, ['true or false', 'Write true or false, without quotes.'], false)
    );
  },
};

function wordFlagOf(word: string): boolean | undefined {
  if (/^(?:y|Y|yes|Yes|YES|on|On|ON)$/.test(word)) return true;
  return /^(?:n|N|no|No|NO|off|Off|OFF)$/.test(word) ? false : undefined;
}

/** A mapping whose contents are the application's: kept as JSON. */
export const json: Field<JsonObject, null> = {
  absent: null,
  read(node, place, reading) {
    if (node.kind === 'map') return jsonObjectOf(node);
    if (isNull(node)) return {};
    return wrongType(node, place, reading, ['a mapping', 'Write `key: value` pairs below it.'], {});
  },
};

/** A list. A null among its items is read as the item's kind reads a null. */
export function listOf<T>(item: Field<T, unknown>): Field<readonly T[], null> {
  return {
    absent: null,
    read(node, place, reading) {
      if (node.kind === 'list')
        return node.items.map((child, at) => item.read(child, below(place, at), reading));
      if (isNull(node)) return [];
      return wrongType(
        node,
        place,
        reading,
        ['a list', 'Write it as [a, b], or one `- item` on each line.'],
        [],
      );
    },
  };
}

/** A mapping with keys of the author's choice, in the order of the file. */
export function mapOf<T>(value: Field<T, unknown>): Field<ReadonlyMap<string, T>, null> {
  return {
    absent: null,
    read(node, place, reading) {
      const result = new Map<string, T>();
      if (node.kind === 'map') {
        for (const [key, entry] of node.entries)
          result.set(key, value.read(entry.value, below(place, key), reading));
      } else if (!isNull(node)) {
        wrongType(node, place, reading, ['a mapping', 'Write `name: value` pairs below it.'], null);
      }
      return result;
    },
  };
}

/** A mapping with the keys of a shape. Other keys are accepted and do nothing (spec section 1). */
export function block<S extends Shape>(shape: S): Field<Block<S>, null> {
  const fields = new Map(Object.entries(shape));
  // Copied for every mapping: setting each key of an empty object costs twenty times as much (10 us for a step).
  const unset = { node: null, place: null, ...mapValues(shape, (field) => field.absent) };
  const hint = `Write \`key: value\` pairs below it: ${Object.keys(shape)[0] ?? 'key'}: ...`;
  return {
    absent: null,
    read(node, place, reading) {
      if (node.kind !== 'map' && !isNull(node)) wrongType(node, place, reading, ['a mapping', hint], null);
      const map = node.kind === 'map' ? node : emptyMap(node.offset);
      const result: Record<string, unknown> = { ...unset, node: map, place };
      for (const [key, { value }] of map.entries) {
        const field = fields.get(key);
        if (field && !isNull(value)) result[key] = field.read(value, below(place, key), reading);
      }
      return result as Block<S>;
    },
  };
}

function mapValues(shape: Shape, change: (field: Shape[string]) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, change(field)]));
}

/**
 * A field that came with format 2.5.0. In an older file its value is read without complaint: that it stands there at
 * all is what gets refused (find-additions.ts).
 */
export function addition<T, Absent>(field: Field<T, Absent>): Field<T, Absent> {
  return {
    absent: field.absent,
    read: (node, place, reading) =>
      field.read(node, place, reading.older ? { ...reading, report: reading.report.fresh() } : reading),
  };
}

function isNull(node: Node): boolean {
  return node.kind === 'text' && isNullScalar(node);
}

/** Reports a value of the wrong type. @returns what the field is read as instead */
export function wrongType<T>(
  node: Node,
  place: Place,
  { report }: Reading,
  [wanted, hint]: readonly [wanted: string, hint: string],
  instead: T,
): T {
  const path = pathOf(place);
  const within = place.label === '' || path.startsWith(place.step) ? '' : ` in ${place.label}`;
  report.add({
    code: 'SKILL_TYPE',
    message: `\`${path}\`${within} must be ${wanted}, and is ${describe(node)}.`,
    hint,
    offset: node.offset,
    ...(place.step === '' ? {} : { step: place.step }),
  });
  return instead;
}

function describe(node: Node): string {
  if (node.kind !== 'text') return node.kind === 'list' ? 'a list' : 'a mapping';
  return `the text ${quoted(node.text)}`;
}
