const MOST = 8;

/** Names as a hint lists them: the first of them, whatever their number. */
export function listed(names: Iterable<string>): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length === MOST) return `${shown.join(', ')}…`;
    shown.push(name);
  }
  return shown.join(', ');
}
