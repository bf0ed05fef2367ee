/**
 * JSON as text. What programs print and what is answered goes back to programs of any language, and only the very same
 * text has the same digest there: nothing here parses and prints anew.
 */

/** How deep values may lie in each other. */
export const MAX_DEPTH = 200;

/**
 * The same JSON without the white space between its tokens.
 * @throws SyntaxError with the place, when it is no JSON or lies deeper than `MAX_DEPTH`
 */
export function compactJson(text: string): string {
  throw new Error(`not yet: ${text}`);
}

/**
 * The members of an object in their order, duplicates included: the key as a string, the value as it was written.
 * @throws SyntaxError when the text is no JSON object
 */
export function membersOf(text: string): readonly (readonly [key: string, value: string])[] {
  throw new Error(`not yet: ${text}`);
}

/**
 * The elements of an array, each as it was written.
 * @throws SyntaxError when the text is no JSON array
 */
export function elementsOf(text: string): readonly string[] {
  throw new Error(`not yet: ${text}`);
}
