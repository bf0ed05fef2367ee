import { elementsOf, membersOf } from '../protocol/json-text.ts';
import { canonicalNumber, exactNumber, isWhole } from './exact-number.ts';

/**
 * A text of JSON as values, with the texts that its numbers were written as. Where a number does not fit into one of JavaScript,
 * another one of its kind stands in for it, whole or not: whoever needs its amount looks here.
 */
export class ExactValues {
  readonly root: unknown;
  readonly #rootText: string;
  readonly #texts = new Map<unknown, string>();
  readonly #numbers = new Map<unknown, Map<string, string>>();

  /** @param text compact */
  constructor(text: string) {
    this.#rootText = text;
    this.root = this.#valueOf(text);
  }

  /**
   * How a value was written, by where it lies; without a parent it is the whole text. For what is not of this text, how it would
   * be written.
   */
  textOf(value: unknown, parent: unknown, key: string | number): string {
    if (typeof value !== 'number') return this.#texts.get(value) ?? JSON.stringify(value);
    const text = parent === undefined ? this.#rootText : this.#numbers.get(parent)?.get(String(key));
    return text ?? String(value);
  }

  #valueOf(text: string): unknown {
    if (text.startsWith('{')) return this.#objectOf(text);
    if (text.startsWith('[')) return this.#listOf(text);
    return isNumber(text) ? standIn(text) : JSON.parse(text);
  }

  #objectOf(text: string): unknown {
    const object: Record<string, unknown> = {};
    const numbers = new Map<string, string>();
    for (const [key, value] of membersOf(text)) {
      // Plain assignment would change the prototype instead.
      Object.defineProperty(object, key, {
        value: this.#valueOf(value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
      if (isNumber(value)) numbers.set(key, value);
      else numbers.delete(key);
    }
    return this.#remember(object, text, numbers);
  }

  #listOf(text: string): unknown {
    const elements = elementsOf(text);
    const numbers = new Map<string, string>();
    for (const [index, element] of elements.entries())
      if (isNumber(element)) numbers.set(String(index), element);
    return this.#remember(
      elements.map((element) => this.#valueOf(element)),
      text,
      numbers,
    );
  }

  #remember(value: object, text: string, numbers: Map<string, string>): object {
    this.#texts.set(value, text);
    this.#numbers.set(value, numbers);
    return value;
  }
}

/** A text that is the same for all values that JSON Schema calls equal. Of members with the same key, the last one is meant. */
export function canonicalText(text: string): string {
  if (text.startsWith('{')) {
    const members = new Map(membersOf(text));
    const sorted = [...members].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${canonicalText(value)}`).join(',')}}`;
  }
  if (text.startsWith('[')) return `[${elementsOf(text).map(canonicalText).join(',')}]`;
  return isNumber(text) ? canonicalNumber(exactNumber(text)) : JSON.stringify(JSON.parse(text));
}

function isNumber(text: string): boolean {
  return /^[-\d]/.test(text);
}

function standIn(text: string): number {
  const number = Number(text);
  if (!isWhole(exactNumber(text))) return Number.isInteger(number) ? 0.5 : number;
  return Number.isFinite(number) ? number : Number.MAX_VALUE;
}
