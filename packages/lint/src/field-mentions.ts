/**
 * A field's name at the beginning of a line, with list marks, quotes and a type in brackets around it.
 * No piece of it can begin where the one before it could go on, so that a line is matched in one pass.
 */
const INTRODUCTION =
  /^[ \t]*(?:(?:[-*•>]|\d{1,3}[.)])[ \t]+){0,3}[`"'*«]*([\p{L}_$][\p{L}\p{M}\p{Nd}_$.-]*?)[`"'*»]*[ \t]*(?:\([^()\n]*\)[ \t]*)?(?::|=|—|–|-[ \t])/u;

/**
 * What a text says of each field, for those it introduces at the beginning of a line: `bus: the line, or blank`.
 * What is said goes on to a blank line or the next field. A mention inside a sentence introduces nothing.
 * @param names the names of fields
 * @returns the text behind the name, of the first introduction of each field
 */
export function fieldMentions(text: string, names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const said = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of text.split('\n')) {
    const match = INTRODUCTION.exec(line);
    const name = match?.[1];
    if (match !== null && name !== undefined && names.has(name)) {
      current = said.has(name) ? [] : [line.slice(match[0].length)];
      if (!said.has(name)) said.set(name, current);
    } else if (line.trim() === '') {
      current = undefined;
    } else {
      current?.push(line);
    }
  }
  return new Map([...said].map(([name, lines]) => [name, lines.join('\n')]));
}
