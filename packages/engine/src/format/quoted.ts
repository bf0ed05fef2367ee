const LONGEST = 200;

/** A value of the file as messages show it: as it is spelled, in quotes, on one line and not too long. */
export function quoted(value: string): string {
  const shown = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
  const line = shown.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  const mark = ['"', "'", '`'].find((candidate) => !line.includes(candidate)) ?? '"';
  return mark + line + mark;
}
