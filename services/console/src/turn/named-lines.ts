/** What `name=value` lines say, and which of them say nothing. */
export interface NamedLines {
  readonly values: Readonly<Record<string, string>>;
  /** Lines that are no `name=value`. */
  readonly wrong: readonly string[];
}

/** Reads a text of `name=value` lines, as people write variables and labels. Empty lines are left out. */
export function namedLines(text: string): NamedLines {
  const values: [string, string][] = [];
  const wrong: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    if (at < 1) wrong.push(line);
    else values.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
  }
  return { values: Object.fromEntries(values), wrong };
}
