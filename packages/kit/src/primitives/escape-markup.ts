/**
 * Text of answers and params goes between the tags of a prompt. Whatever it says, the tags stay those of the author.
 *
 * An ampersand is escaped only where it would begin an entity, so that ordinary text reads as it was written.
 */
const AMPERSAND_OF_ENTITY = /&(?=#?\w{1,32};)/g;

/** For the body of the tag of a primitive. */
export function escapeText(text: string): string {
  return text.replace(AMPERSAND_OF_ENTITY, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** For the value of an attribute, which stands in double quotes. */
export function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;');
}
