import type { Entry, MapNode, Node } from './node.ts';
import { scanKey, scanValue, skipSpaces } from './quick-flow.ts';

/**
 * Reads the part of YAML that nearly every skill is written in: block mappings and lists, literal blocks, scalars and
 * flow collections on one line, comments. Anything else (anchors, tags, folded blocks, tabs, values over several lines,
 * and every mistake) is left to the full parser, which also says what is wrong. The result is the same node for node,
 * which a property test holds it to.
 *
 * Why it exists: the full parser takes about 7 ms for a skill of 50 steps, this one 0.3 ms (2026-11-30), and skills are
 * read by every process that validates, lints or runs them.
 *
 * @param text printable text without a byte order mark
 * @returns the root, or undefined when the text needs the full parser
 */
export function readQuickYaml(text: string): MapNode | undefined {
  return text.includes('\r') ? undefined : new QuickReader(text).read();
}

const NEWLINE = 0x0a;
const HASH = 0x23;
const DASH = 0x2d;
const MAX_QUICK_DEPTH = 50;
const LITERAL_HEADER = /\|([-+]?) *(?: #[^\n]*)?\n/y;
/** Ends a document, or begins another or a directive. */
const DOCUMENT_MARK = /---|\.\.\.|%/y;

class QuickReader {
  readonly #text: string;
  /** The first character of the current line that is no space. */
  #at = 0;
  /** The column of that character, from 0; -1 at the end of the text. */
  #indent = -1;
  /** The text needs the full parser. From then on we stand at the end of the text, so that every loop ends. */
  #failed = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): MapNode | undefined {
    this.#toLine(0);
    const root = this.#indent === 0 ? this.#block(0) : undefined;
    return this.#failed || this.#indent !== -1 || root?.kind !== 'map' ? undefined : root;
  }

  #fail(): undefined {
    this.#failed = true;
    this.#indent = -1;
    this.#at = this.#text.length;
    return undefined;
  }

  /** Goes to the first line with content, from the beginning of a line on. */
  #toLine(from: number): void {
    for (let start = from; ;) {
      const first = skipSpaces(this.#text, start);
      const code = this.#text.charCodeAt(first);
      if (code === NEWLINE) start = first + 1;
      else if (code === HASH) start = this.#lineEnd(first) + 1;
      else {
        this.#at = first;
        this.#indent = first >= this.#text.length ? -1 : first - start;
        DOCUMENT_MARK.lastIndex = first;
        if (code === 0x09 || (this.#indent === 0 && DOCUMENT_MARK.test(this.#text))) this.#fail();
        return;
      }
    }
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf('\n', at);
    return end < 0 ? this.#text.length : end;
  }

  #isDash(at: number): boolean {
    const next = this.#text.charCodeAt(at + 1);
    return this.#text.charCodeAt(at) === DASH && (next === 0x20 || next === NEWLINE || Number.isNaN(next));
  }

  /** The block collection that begins here; its column is the current indent. */
  #block(depth: number): Node | undefined {
    if (depth > MAX_QUICK_DEPTH) return this.#fail();
    return this.#isDash(this.#at) ? this.#list(depth) : this.#map(depth);
  }

  #map(depth: number): MapNode {
    const [indent, offset] = [this.#indent, this.#at];
    const entries = new Map<string, Entry>();
    while (this.#indent === indent && !this.#failed) {
      const keyOffset = this.#at;
      const key = scanKey(this.#text, keyOffset);
      const value =
        key && !entries.has(key.key) ? this.#value(key.end, { indent, depth, keyOffset }) : this.#fail();
      if (key && value) entries.set(key.key, { keyOffset, value });
    }
    if (this.#indent > indent) this.#fail();
    return { kind: 'map', entries, offset };
  }

  #list(depth: number): Node {
    const [indent, offset] = [this.#indent, this.#at];
    const items: Node[] = [];
    while (this.#indent === indent && this.#isDash(this.#at)) {
      const item = this.#item(indent, depth);
      if (item) items.push(item);
    }
    if (this.#indent > indent) this.#fail();
    return { kind: 'list', items, offset };
  }

  #item(indent: number, depth: number): Node | undefined {
    const at = skipSpaces(this.#text, this.#at + 1);
    if (!this.#isDash(at) && scanKey(this.#text, at) === undefined)
      return this.#value(this.#at + 1, { indent, depth });
    // A mapping or a list that begins on the line of the dash; its column is where it begins.
    this.#indent += at - this.#at;
    this.#at = at;
    return this.#block(depth + 1);
  }

  /**
   * The value after a colon or a dash, which lies in a collection at this indent.
   * @param keyOffset where its key begins; absent in a list
   */
  #value(from: number, within: { indent: number; depth: number; keyOffset?: number }): Node | undefined {
    const { indent, depth, keyOffset } = within;
    const at = skipSpaces(this.#text, from);
    const code = this.#text.charCodeAt(at);
    if (code === 0x7c) return this.#literal(at, indent);
    if (code === NEWLINE || code === HASH || Number.isNaN(code)) {
      this.#toLine(this.#lineEnd(at) + 1);
      const isListOfKey = keyOffset !== undefined && this.#indent === indent && this.#isDash(this.#at);
      if (this.#indent > indent || isListOfKey) return this.#block(depth + 1);
      return keyOffset === undefined
        ? this.#fail()
        : { kind: 'text', text: '', plain: true, offset: keyOffset };
    }
    const value = scanValue(this.#text, at);
    return value && this.#endsLine(value.end, indent) ? value.node : this.#fail();
  }

  /** Nothing but a comment follows on this line, and the next line is no continuation. */
  #endsLine(from: number, indent: number): boolean {
    const at = skipSpaces(this.#text, from);
    const code = this.#text.charCodeAt(at);
    const isEnd = code === NEWLINE || Number.isNaN(code) || (code === HASH && at > from);
    if (!isEnd) return false;
    this.#toLine(this.#lineEnd(at) + 1);
    return this.#indent <= indent;
  }

  /** A literal block, `|`, whose lines are indented by more than the given column. */
  #literal(start: number, indent: number): Node | undefined {
    LITERAL_HEADER.lastIndex = start;
    const header = LITERAL_HEADER.exec(this.#text);
    if (header === null) return this.#fail();
    let at = LITERAL_HEADER.lastIndex;
    let column = -1;
    let blank = 0;
    let body = '';
    for (;;) {
      const first = skipSpaces(this.#text, at);
      const code = this.#text.charCodeAt(first);
      if (code === NEWLINE) {
        // Spaces that may count as content, or as a mistake: not for us.
        if (first > at && (column < 0 || first - at > column)) return this.#fail();
        blank += 1;
        at = first + 1;
      } else if (first >= this.#text.length) {
        if (first > at) return this.#fail();
        break;
      } else if (first - at <= indent) {
        break;
      } else {
        if (column < 0) column = first - at;
        const end = this.#text.indexOf('\n', first);
        if (first - at < column || end < 0) return this.#fail();
        body += '\n'.repeat(blank) + this.#text.slice(at + column, end + 1);
        blank = 0;
        at = end + 1;
      }
    }
    if (column < 0) return this.#fail();
    this.#toLine(at);
    const chomped =
      header[1] === '-' ? body.slice(0, -1) : body + (header[1] === '+' ? '\n'.repeat(blank) : '');
    return { kind: 'text', text: chomped, plain: false, offset: start };
  }
}
