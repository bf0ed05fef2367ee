// Escape sequences and marks that turn text around could make a terminal show something else than what is there.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A text that does nothing to a terminal. What does is written as JSON would escape it, so JSON stays the same JSON. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
