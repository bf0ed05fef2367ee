/**
 * JSON as text. What programs print and what is answered goes back to programs of any language, and only the very same
 * text has the same digest there: nothing here parses and prints anew.
 */

/** How deep values may lie in each other that come from others. */
export const MAX_DEPTH = 200;

/**
 * The same JSON without the white space between its tokens. What takes a compact text apart goes as deep as it is.
 * @param deepest how deep values may lie in each other
 * @throws SyntaxError with the place, when it is no JSON or lies deeper
 */
export function compactJson(text: string, deepest = MAX_DEPTH): string {
  const kept: string[] = [];
  let from = 0;
  const scanner = new Scanner(text, deepest, (start, end) => {
    kept.push(text.slice(from, start));
    from = end;
  });
  scanner.space();
  scanner.value();
  scanner.end();
  kept.push(text.slice(from));
  return kept.join('');
}

/**
 * The members of an object in their order, duplicates included: the key as a string, the value as it was written.
 * @throws SyntaxError when the text is no JSON object
 */
export function membersOf(text: string): readonly (readonly [key: string, value: string])[] {
  const members: (readonly [string, string])[] = [];
  const scanner = new Scanner(text);
  scanner.list('{', '}', () => {
    const key = scanner.take(() => scanner.string());
    scanner.colon();
    members.push([JSON.parse(key) as string, scanner.take(() => scanner.value())]);
  });
  return members;
}

/**
 * The elements of an array, each as it was written.
 * @throws SyntaxError when the text is no JSON array
 */
export function elementsOf(text: string): readonly string[] {
  const elements: string[] = [];
  const scanner = new Scanner(text);
  scanner.list('[', ']', () => {
    elements.push(scanner.take(() => scanner.value()));
  });
  return elements;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const ESCAPES = '"\\/bfnrt';
const HEX = /^[0-9a-fA-F]{4}$/u;
const LITERALS = ['true', 'false', 'null'];

/** A place in a text of JSON. Each method goes past one thing, or throws; none calls itself, however deep the text is. */
class Scanner {
  readonly #text: string;
  readonly #deepest: number;
  readonly #onSpace: (start: number, end: number) => void;
  #at = 0;

  constructor(
    text: string,
    deepest = Number.POSITIVE_INFINITY,
    onSpace: (start: number, end: number) => void = () => {},
  ) {
    this.#text = text;
    this.#deepest = deepest;
    this.#onSpace = onSpace;
  }

  /** The text of what is gone past. */
  take(goPast: () => void): string {
    const start = this.#at;
    goPast();
    return this.#text.slice(start, this.#at);
  }

  space(): void {
    const start = this.#at;
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at > start) this.#onSpace(start, this.#at);
  }

  /** The text must be over, but for white space. */
  end(): void {
    this.space();
    if (this.#at < this.#text.length) this.#refuse();
  }

  /** A whole text that is one list of things between two brackets. */
  list(open: string, close: string, goPastOne: () => void): void {
    this.space();
    if (!this.#skip(open)) this.#refuse();
    this.space();
    if (!this.#skip(close)) {
      do {
        this.space();
        goPastOne();
        this.space();
      } while (this.#skip(','));
      if (!this.#skip(close)) this.#refuse();
    }
    this.end();
  }

  /** The colon after a key, with the space around it. */
  colon(): void {
    this.space();
    if (!this.#skip(':')) this.#refuse();
    this.space();
  }

  value(): void {
    const closers: string[] = [];
    do {
      const close = this.#open();
      if (close !== null && closers.length === this.#deepest)
        this.#refuse(`more than ${this.#deepest} levels deep`);
      if (close === null) this.#scalar();
      else if (!this.#skip(close)) {
        closers.push(close);
        if (close === '}') this.#key();
        continue;
      }
      this.#closeAll(closers);
    } while (closers.length > 0);
  }

  string(): void {
    if (!this.#skip('"')) this.#refuse();
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) this.#escape();
      else if (code >= FIRST_PRINTABLE) this.#at++;
      else this.#refuse();
    }
    this.#at++;
  }

  /** Past the bracket that opens a list, and the space behind it; null: here is no list. */
  #open(): string | null {
    const close = this.#skip('{') ? '}' : this.#skip('[') ? ']' : null;
    if (close !== null) this.space();
    return close;
  }

  /** After a value: past all brackets that close here, up to the value that comes next. */
  #closeAll(closers: string[]): void {
    for (let close = closers.at(-1); close !== undefined; close = closers.at(-1)) {
      this.space();
      if (this.#skip(',')) {
        this.space();
        if (close === '}') this.#key();
        return;
      }
      if (!this.#skip(close)) this.#refuse();
      closers.pop();
    }
  }

  #key(): void {
    this.string();
    this.colon();
  }

  #scalar(): void {
    if (this.#text.charCodeAt(this.#at) === QUOTE) this.string();
    else if (!LITERALS.some((literal) => this.#skip(literal))) this.#number();
  }

  #number(): void {
    this.#skip('-');
    if (!this.#skip('0')) this.#digits();
    if (this.#skip('.')) this.#digits();
    if (this.#skip('e') || this.#skip('E')) {
      if (!this.#skip('+')) this.#skip('-');
      this.#digits();
    }
  }

  #digits(): void {
    const start = this.#at;
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at === start) this.#refuse();
  }

  #escape(): void {
    const escaped = this.#text.charAt(this.#at + 1);
    const isUnicode = escaped === 'u' && HEX.test(this.#text.slice(this.#at + 2, this.#at + 6));
    if (!isUnicode && (escaped === '' || !ESCAPES.includes(escaped)))
      this.#refuse('an escape that JSON has not');
    this.#at += isUnicode ? 6 : 2;
  }

  #skip(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #refuse(why?: string): never {
    const found = this.#text.codePointAt(this.#at);
    const what =
      found === undefined
        ? 'the text ends too early'
        : `unexpected ${JSON.stringify(String.fromCodePoint(found))}`;
    throw new SyntaxError(`${why ?? what} at character ${this.#at}`);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
