import type { Entry, Node, TextNode } from './node.ts';

/** A node, and where the text goes on after it. */
export interface Scanned {
  readonly node: Node;
  readonly end: number;
}

// What a plain scalar may begin with here: nothing that is ever an indicator. A dash only before a letter or a digit.
const START = String.raw`(?:[\p{L}\p{N}_(./+~$^;=<]|-(?=[\p{L}\p{N}.]))`;
const FLOW_PLAIN = new RegExp(String.raw`${START}(?:[^,\[\]{}:#\n\t]|:(?![ ,\[\]{}\n\t]|$))*`, 'yu');
const BLOCK_PLAIN = new RegExp(String.raw`${START}(?:[^:#\n\t]|:(?![ \n\t]|$)|(?<! )#)*`, 'yu');
const DOUBLE_QUOTED = /"((?:[^"\\\n]|\\[nt"\\/])*)"/y;
const SINGLE_QUOTED = /'((?:[^'\n]|'')*)'/y;
const KEY =
  /(?:([\p{L}\p{N}_](?:[\p{L}\p{N}_./ -]*[\p{L}\p{N}_./-])?)|"([^"\\\n]*)"|'([^'\n]*)'):(?= |\n|$)/uy;
const NULL_KEY = /^(?:null|Null|NULL)$/;
/** Longer ones are refused by YAML where they stand on one line with their value. */
const MAX_KEY = 1000;
const MAX_QUICK_DEPTH = 50;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

/** A key and its colon. @returns undefined for anything unusual */
export function scanKey(
  text: string,
  at: number,
): { readonly key: string; readonly end: number } | undefined {
  KEY.lastIndex = at;
  const match = KEY.exec(text);
  if (match === null || match[0].length > MAX_KEY) return undefined;
  const key = match[1] ?? match[2] ?? match[3] ?? '';
  return match[1] !== undefined && NULL_KEY.test(key) ? undefined : { key, end: KEY.lastIndex };
}

/** A value that begins and ends on this line: a scalar, or a flow collection. @returns undefined for anything unusual */
export function scanValue(text: string, at: number): Scanned | undefined {
  return scan(text, at, BLOCK_PLAIN, 0);
}

function scan(text: string, at: number, plain: RegExp, depth: number): Scanned | undefined {
  if (depth > MAX_QUICK_DEPTH) return undefined;
  switch (text.charAt(at)) {
    case '[':
      return scanList(text, at, depth);
    case '{':
      return scanMap(text, at, depth);
    case '"':
      return scanText(text, at, DOUBLE_QUOTED, (inner) =>
        inner.includes('\\')
          ? inner.replaceAll(/\\(.)/g, (_, escape: string) => ESCAPES[escape] ?? escape)
          : inner,
      );
    case "'":
      return scanText(text, at, SINGLE_QUOTED, (inner) => inner.replaceAll("''", "'"));
    default:
      return scanPlain(text, at, plain);
  }
}

function scanText(
  text: string,
  at: number,
  pattern: RegExp,
  unescape: (inner: string) => string,
): Scanned | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  return {
    node: { kind: 'text', text: unescape(match[1] ?? ''), plain: false, offset: at },
    end: pattern.lastIndex,
  };
}

function scanPlain(text: string, at: number, pattern: RegExp): Scanned | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  let end = pattern.lastIndex;
  while (text.charCodeAt(end - 1) === 0x20) end -= 1;
  const node: TextNode = { kind: 'text', text: text.slice(at, end), plain: true, offset: at };
  return { node, end };
}

function scanList(text: string, start: number, depth: number): Scanned | undefined {
  const items: Node[] = [];
  let at = skipSpaces(text, start + 1);
  if (text[at] === ']') return { node: { kind: 'list', items, offset: start }, end: at + 1 };
  for (;;) {
    const item = scan(text, at, FLOW_PLAIN, depth + 1);
    if (item === undefined) return undefined;
    items.push(item.node);
    at = skipSpaces(text, item.end);
    if (text[at] === ']') return { node: { kind: 'list', items, offset: start }, end: at + 1 };
    if (text[at] !== ',') return undefined;
    at = skipSpaces(text, at + 1);
  }
}

function scanMap(text: string, start: number, depth: number): Scanned | undefined {
  const entries = new Map<string, Entry>();
  let at = skipSpaces(text, start + 1);
  if (text[at] === '}') return { node: { kind: 'map', entries, offset: start }, end: at + 1 };
  for (;;) {
    const keyOffset = at;
    const key = scanKey(text, at);
    if (key === undefined || entries.has(key.key)) return undefined;
    const value = scan(text, skipSpaces(text, key.end), FLOW_PLAIN, depth + 1);
    if (value === undefined) return undefined;
    entries.set(key.key, { keyOffset, value: value.node });
    at = skipSpaces(text, value.end);
    if (text[at] === '}') return { node: { kind: 'map', entries, offset: start }, end: at + 1 };
    if (text[at] !== ',') return undefined;
    at = skipSpaces(text, at + 1);
  }
}

/** Where the text goes on after spaces. Tabs are not skipped, so that they end the quick reading. */
export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 0x20) at += 1;
  return at;
}
