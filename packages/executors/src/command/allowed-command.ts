/** What `*` stands for: characters that no shell reads anything into, wherever they stand. */
const WITHOUT_MEANING = /^[A-Za-z0-9 _./:=@%+,-]*$/;

/**
 * Whether the configuration allows a command.
 * @param allow `commands.allow`: the text of a command, in which `*` is any text without meaning to a shell; `*` alone is every command
 */
export function isAllowed(command: string, allow: readonly string[]): boolean {
  return allow.some((entry) => entry === '*' || entry === command || fits(command, entry));
}

/**
 * Each part of a pattern is taken where it is found first, and no other place is ever tried: a later place would leave the
 * text between two parts longer on one side, and on the other side shorter by nothing but text that was without meaning.
 */
function fits(command: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined || !command.startsWith(first) || !command.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts) {
    const at = command.indexOf(part, from);
    if (at < 0 || !WITHOUT_MEANING.test(command.slice(from, at))) return false;
    from = at + part.length;
  }
  const end = command.length - last.length;
  return from <= end && WITHOUT_MEANING.test(command.slice(from, end));
}
