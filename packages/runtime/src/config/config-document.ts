import type { Position } from '@skillyard/contracts';
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** A parsed configuration file that still knows where everything stands. */
export interface ConfigDocument {
  readonly value: unknown;
  /** The place of a key; of the nearest thing around it when it is not there. */
  keyAt(path: readonly string[]): Position;
  /** The place of a value; of the nearest thing around it when it is not there. */
  valueAt(path: readonly string[]): Position;
}

/** Why a text is no configuration document. */
export interface ConfigSyntaxError {
  readonly message: string;
  readonly hint: string;
  readonly position: Position;
}

/**
 * Parses the text of a configuration file.
 * Anchors are allowed, within a bound: a handful of them can stand for more text than a machine holds.
 */
export function parseConfigDocument(text: string): ConfigDocument | ConfigSyntaxError {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: '1.2' });
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const problem = document.errors[0];
  if (problem) {
    return {
      message: `not valid YAML: ${firstLine(problem.message)}`,
      hint: 'correct the YAML at this place',
      position: place(problem.pos[0]),
    };
  }
  const start = { line: 1, column: 1 };
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    return {
      message: 'the file is empty',
      hint: 'write `{}` for a configuration without anything in it',
      position: start,
    };
  }
  if (!isMap(document.contents)) {
    return {
      message: `the file holds ${isSeq(document.contents) ? 'a list' : 'a single value'}, not a mapping`,
      hint: 'begin with a key such as `models:` or `servers:`',
      position: place(document.contents.range?.[0] ?? 0),
    };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return {
      message: `the aliases cannot be resolved: ${error instanceof Error ? firstLine(error.message) : String(error)}`,
      hint: 'write the values out instead of repeating anchors',
      position: start,
    };
  }
  return {
    value,
    keyAt: (path) => place(offsetOf(document, path, 'key')),
    valueAt: (path) => place(offsetOf(document, path, 'value')),
  };
}

/** Walks as deep into the document as the path leads and gives the offset of what is there. */
function offsetOf(document: Document, path: readonly string[], part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const [depth, segment] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find((item) => keyText(item.key) === segment);
      if (!pair) return offset;
      const wanted = depth === path.length - 1 && part === 'key' ? pair.key : (pair.value ?? pair.key);
      offset = startOf(wanted) ?? startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      offset = startOf(node) ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}
