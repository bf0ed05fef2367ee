import { compactJson, elementsOf, membersOf } from './json-text.ts';

/**
 * The members of a closed object of the protocol, by their exact names. Its getters throw a SyntaxError that says which
 * member of which object is wrong; whoever reads gives that its code.
 */
export class Fields {
  readonly #what: string;
  readonly #texts: ReadonlyMap<string, string>;

  /**
   * @param text JSON, compact: so are the texts that come out
   * @param what the object in messages
   * @param known the keys that it may have
   */
  constructor(text: string, what: string, known: readonly string[]) {
    if (!text.startsWith('{')) throw new SyntaxError(`${what} must be an object`);
    const texts = new Map<string, string>();
    for (const [key, value] of membersOf(text)) {
      if (!known.includes(key)) throw new SyntaxError(`${what} has an unknown key ${JSON.stringify(key)}`);
      if (texts.has(key)) throw new SyntaxError(`${what} has the key ${JSON.stringify(key)} twice`);
      texts.set(key, value);
    }
    this.#what = what;
    this.#texts = texts;
  }

  /** The fields of a whole text, which is made compact. */
  static read(text: string, what: string, known: readonly string[]): Fields {
    return new Fields(compactJson(text), what, known);
  }

  /** The text of a member; null: there is none. */
  text(key: string): string | null {
    return this.#texts.get(key) ?? null;
  }

  string(key: string): string {
    const text = this.text(key);
    if (text === null || !text.startsWith('"')) throw this.#must(key, 'be a string');
    return JSON.parse(text) as string;
  }

  name(key: string): string {
    const value = this.string(key);
    if (value === '') throw this.#must(key, 'not be empty');
    return value;
  }

  /** One of some words; `kind` names what they are words for, in the refusal of another. */
  word<Word extends string>(key: string, words: readonly Word[], kind: string): Word {
    const value = this.string(key);
    const known = words.find((word) => word === value);
    if (known === undefined) throw new SyntaxError(`unknown ${kind} ${JSON.stringify(value)}`);
    return known;
  }

  /** @param called what it is called in messages */
  digest(key: string, called = key): string {
    const value = this.string(key);
    if (!/^sha256:[0-9a-f]{64}$/u.test(value)) throw this.#must(called, 'be a sha256 digest');
    return value;
  }

  boolean(key: string): boolean {
    const text = this.text(key);
    if (text !== 'true' && text !== 'false') throw this.#must(key, 'be a boolean');
    return text === 'true';
  }

  integer(key: string, minimum: number): number {
    const text = this.text(key) ?? '';
    const value = /^-?\d+$/u.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value) || value < minimum) throw this.#must(key, `be an integer >= ${minimum}`);
    return value;
  }

  /** The elements of a list; none when the key is not there, or null. */
  elements(key: string): readonly string[] {
    const text = this.text(key) ?? 'null';
    if (text === 'null') return [];
    if (!text.startsWith('[')) throw this.#must(key, 'be a list');
    return elementsOf(text);
  }

  #must(key: string, what: string): SyntaxError {
    return new SyntaxError(`${this.#what} ${key} must ${what}`);
  }
}
