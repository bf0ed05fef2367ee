import type { Json, JsonObject } from '@skillyard/contracts';

/** Texts of the greatest length that one value may hold together. */
const LONGEST_TEXTS = 4;
/** What the cut off end of a text becomes. */
const MORE = '…';

/** Makes values small enough to be kept, and remembers whether anything had to go. */
export class Cut {
  readonly #maxLength: number;
  #happened = false;

  /** @param maxLength of one text, in characters; a value with many texts may have four times as much */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Whether something was cut. */
  get happened(): boolean {
    return this.#happened;
  }

  text(text: string): string {
    if (text.length <= this.#maxLength) return text;
    this.#happened = true;
    return text.slice(0, this.#maxLength) + MORE;
  }

  /** What is left out of an object is undefined or does not fit. */
  object(value: Readonly<Record<string, unknown>>): JsonObject {
    const left = { length: this.#maxLength * LONGEST_TEXTS };
    return this.#value(value as JsonObject, left) as JsonObject;
  }

  #value(value: Json, left: { length: number }): Json {
    if (typeof value === 'string') {
      const text = this.text(value);
      left.length -= text.length;
      return text;
    }
    left.length--;
    if (Array.isArray(value)) {
      const items: Json[] = [];
      for (const item of value) {
        if (this.#isFull(left)) break;
        items.push(this.#value(item, left));
      }
      return items;
    }
    if (typeof value !== 'object' || value === null) return value;
    const fields: [string, Json][] = [];
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      if (this.#isFull(left)) break;
      left.length -= key.length;
      fields.push([key, this.#value(item, left)]);
    }
    return Object.fromEntries(fields);
  }

  #isFull(left: { readonly length: number }): boolean {
    if (left.length > 0) return false;
    this.#happened = true;
    return true;
  }
}
