/**
 * Walks a path into a JSON text without building what lies beside it.
 *
 * The text is checked as a whole first: of something that is not JSON to its end nothing is believed.
 */
import { excerpt, nameList } from './excerpt.ts';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  documentStart,
  jsonBlankEnd,
  OPEN_LIST,
  OPEN_OBJECT,
  stringEnd,
  valueEnd,
} from './json-scan.ts';
import { buildNode, decodeString, type JsonNode, renderJson, renderValueAt } from './json-text.ts';
import { type PathKey, pathText } from './path.ts';

/** What lies at a path: its text, or a sentence about what is there instead. */
export type Walked =
  | { readonly found: true; readonly text: string }
  | { readonly found: false; readonly miss: string };

/**
 * Finds what lies at a path inside a JSON text, rendered as a reference renders it (spec section 3).
 * @returns undefined if the text is not JSON
 */
export function walkJson(text: string, path: readonly PathKey[]): Walked | undefined {
  let at = documentStart(text);
  if (at < 0) return undefined;
  for (let depth = 0; depth < path.length; depth++) {
    const key = path[depth] ?? null;
    const next = typeof key === 'string' ? fieldStart(text, at, key) : elementStart(text, at, key);
    if (next < 0) return { found: false, miss: describeMiss(buildNode(text, at), path, depth) };
    at = next;
  }
  return { found: true, text: renderValueAt(text, at) };
}

/** Where the value of a field starts; of duplicate keys the last one counts (spec section 4). */
function fieldStart(text: string, from: number, name: string): number {
  if (text.charCodeAt(from) !== OPEN_OBJECT) return -1;
  let found = -1;
  let at = jsonBlankEnd(text, from + 1);
  while (text.charCodeAt(at) !== CLOSE_OBJECT) {
    const keyEnd = stringEnd(text, at);
    const value = jsonBlankEnd(text, jsonBlankEnd(text, keyEnd) + 1);
    if (isKey(text, at, keyEnd, name)) found = value;
    at = nextItem(text, value);
  }
  return found;
}

function elementStart(text: string, from: number, index: number | null): number {
  if (text.charCodeAt(from) !== OPEN_LIST || index === null) return -1;
  let at = jsonBlankEnd(text, from + 1);
  for (let place = 0; text.charCodeAt(at) !== CLOSE_LIST; place++) {
    if (place === index) return at;
    at = nextItem(text, at);
  }
  return -1;
}

/** From a value to the item behind it, or to what closes the container. */
function nextItem(text: string, value: number): number {
  const at = jsonBlankEnd(text, valueEnd(text, value));
  return text.charCodeAt(at) === COMMA ? jsonBlankEnd(text, at + 1) : at;
}

/** Names in a path are plain ASCII, so a key is only decoded when it holds an escape. */
function isKey(text: string, from: number, end: number, name: string): boolean {
  if (end - from - 2 === name.length) return text.startsWith(name, from + 1);
  return end - from - 2 > name.length && decodeString(text, from, end) === name;
}

function describeMiss(node: JsonNode, path: readonly PathKey[], depth: number): string {
  const where = depth === 0 ? 'the value' : pathText(path.slice(0, depth));
  return `there is nothing at ${pathText(path.slice(0, depth + 1))}: ${where} is ${describe(node)}`;
}

function describe(node: JsonNode): string {
  if (node instanceof Map) {
    return node.size === 0
      ? 'an object without fields'
      : `an object with the fields ${nameList(node.keys())}`;
  }
  if (Array.isArray(node)) return node.length === 1 ? 'a list of 1 item' : `a list of ${node.length} items`;
  return typeof node === 'string' ? `the text ${excerpt(node)}` : renderJson(node);
}
