/**
 * JSON text without loss (spec section 4): keys keep their order, integers their digits, and a number that no double
 * can hold its spelling. `JSON.parse` keeps none of the three, so objects become maps here and numbers stay text.
 */
import { documentStart, jsonBlankEnd, stringEnd, valueEnd } from './json-scan.ts';

/** A number, in the spelling it is rendered with. */
interface JsonNumber {
  readonly number: string;
}

type Container = JsonNode[] | Map<string, JsonNode>;

/** A JSON value. Of duplicate keys a map holds the last value at the place of the first. */
export type JsonNode = null | boolean | string | JsonNumber | JsonNode[] | Map<string, JsonNode>;

/**
 * Reads a JSON text (spec section 4). Never throws, and no depth of nesting reaches the call stack.
 * @returns undefined if the text is not JSON
 */
export function parseJsonText(text: string): JsonNode | undefined {
  const from = documentStart(text);
  return from < 0 ? undefined : buildNode(text, from);
}

/** Renders a value as compact JSON (spec section 4). */
export function renderJson(node: JsonNode): string {
  if (!isContainer(node)) return renderScalar(node);
  const root = startOf(node);
  const open = [root];
  let text = root.opener;
  for (let around = open.at(-1); around !== undefined; around = open.at(-1)) {
    const item = around.items.next();
    if (item.done === true) {
      text += around.closer;
      open.pop();
      continue;
    }
    const [key, value] = item.value;
    text += around.separator;
    around.separator = ',';
    if (typeof key === 'string') text += `${JSON.stringify(key)}:`;
    if (isContainer(value)) {
      const inner = startOf(value);
      text += inner.opener;
      open.push(inner);
    } else {
      text += renderScalar(value);
    }
  }
  return text;
}

/** Renders a value for a text: a string as it is, everything else as compact JSON (spec section 3). */
export function renderValue(node: JsonNode): string {
  return typeof node === 'string' ? node : renderJson(node);
}

/**
 * Renders the value that starts at a place, in a text known to be JSON there.
 * What is not a container is rendered from the text itself.
 */
export function renderValueAt(text: string, from: number): string {
  return isContainerAt(text, from)
    ? renderJson(buildNode(text, from))
    : renderValue(scalarAt(text, from, valueEnd(text, from)));
}

/**
 * Builds the value that starts at a place, in a text known to be JSON there.
 * A container goes into its parent before it is filled, so that the open ones are the only stack.
 */
export function buildNode(text: string, from: number): JsonNode {
  const open: Container[] = [];
  let root: JsonNode = null;
  let at = from;
  do {
    const parent = open.at(-1);
    let key = '';
    if (parent instanceof Map) {
      const keyEnd = stringEnd(text, at);
      key = decodeString(text, at, keyEnd);
      at = jsonBlankEnd(text, jsonBlankEnd(text, keyEnd) + 1);
    }
    let node: JsonNode;
    if (isContainerAt(text, at)) {
      node = text[at] === '[' ? [] : new Map<string, JsonNode>();
      open.push(node);
      at++;
    } else {
      const end = valueEnd(text, at);
      node = scalarAt(text, at, end);
      at = end;
    }
    if (parent === undefined) root = node;
    else if (parent instanceof Map) parent.set(key, node);
    else parent.push(node);
    at = afterValue(text, at, open);
  } while (open.length > 0);
  return root;
}

/** Closes the containers that are complete at a place, and goes on to the next item. */
function afterValue(text: string, from: number, open: Container[]): number {
  let at = jsonBlankEnd(text, from);
  while (open.length > 0) {
    const char = text[at];
    if (char === ',') return jsonBlankEnd(text, at + 1);
    if (char !== ']' && char !== '}') return at;
    open.pop();
    at = jsonBlankEnd(text, at + 1);
  }
  return at;
}

function isContainerAt(text: string, at: number): boolean {
  return text[at] === '[' || text[at] === '{';
}

function isContainer(node: JsonNode): node is Container {
  return Array.isArray(node) || node instanceof Map;
}

/** A container on its way into text. */
interface Rendering {
  readonly items: Iterator<[number | string, JsonNode]>;
  readonly opener: string;
  readonly closer: string;
  separator: string;
}

function startOf(node: Container): Rendering {
  const list = Array.isArray(node);
  return { items: node.entries(), opener: list ? '[' : '{', closer: list ? ']' : '}', separator: '' };
}

function renderScalar(node: Exclude<JsonNode, Container>): string {
  // JSON.stringify escapes a well-formed string exactly as section 4 asks, U+2028 and U+2029 left alone.
  if (typeof node === 'string') return JSON.stringify(node);
  return typeof node === 'object' && node !== null ? node.number : String(node);
}

function scalarAt(text: string, from: number, end: number): Exclude<JsonNode, Container> {
  switch (text[from]) {
    case '"':
      return decodeString(text, from, end);
    case 't':
      return true;
    case 'f':
      return false;
    case 'n':
      return null;
    default:
      return { number: canonicalNumber(text.slice(from, end)) };
  }
}

/** The characters that a string stands for. */
export function decodeString(text: string, from: number, end: number): string {
  const raw = text.slice(from + 1, end - 1);
  const decoded = raw.includes('\\') ? (JSON.parse(text.slice(from, end)) as string) : raw;
  // Every string passes here: the cheap question is asked first, and it is nearly always enough.
  if (!/[\uD800-\uDFFF]/.test(decoded)) return decoded;
  // With the u flag a pair is one code point, so what matches is lone.
  return decoded.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Integers stay as they are; other numbers take the shortest form of the nearest double, if there is one. */
function canonicalNumber(spelling: string): string {
  if (/^-?[0-9]+$/.test(spelling)) return spelling;
  const double = Number(spelling);
  if (!Number.isFinite(double)) return spelling;
  return Object.is(double, -0) ? '-0' : String(double);
}
