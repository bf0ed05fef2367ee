/** How error messages quote what they are about: long things are cut, so that a message stays a message. */

const LONGEST_VALUE = 80;
const LISTED_NAMES = 12;

/** A value in quotes, on one line, cut to about 80 characters. */
export function excerpt(text: string): string {
  return JSON.stringify(clip(text));
}

/** Names in a list; beyond the first twelve they are only counted. */
export function nameList(names: Iterable<string>): string {
  const all = [...names];
  const listed = all.slice(0, LISTED_NAMES).map(clip).join(', ');
  return all.length > LISTED_NAMES ? `${listed} and ${all.length - LISTED_NAMES} more` : listed;
}

/** A text cut to about 80 characters. */
export function clip(text: string): string {
  if (text.length <= LONGEST_VALUE) return text;
  const last = text.charCodeAt(LONGEST_VALUE - 1);
  // A surrogate pair is not cut in two: the message has to stay well-formed.
  const end = last >= 0xd800 && last <= 0xdbff ? LONGEST_VALUE - 1 : LONGEST_VALUE;
  return `${text.slice(0, end)}…`;
}
