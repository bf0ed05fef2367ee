const MOST = 8;

/** Names as a hint lists them, not too many. */
export function listed(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, MOST).join(', ');
  return all.length > MOST ? `${shown} and ${all.length - MOST} more` : shown;
}
