const MOST_SHOWN = 3;
const MOST_LISTED = 12;

/** Fewest edits between two short names. Case counts as no difference. */
function distance(left: string, right: string): number {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  let previous = Array.from({ length: b.length + 1 }, (_unused, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** Names that a mistyped one may have meant, the nearest first. */
export function nearNames(name: string, known: readonly string[]): string[] {
  const limit = Math.max(2, Math.floor(name.length / 3));
  return known
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .filter(
      ({ candidate, edits }) =>
        edits <= limit || candidate.includes(name) || (candidate !== '' && name.includes(candidate)),
    )
    .toSorted((left, right) => left.edits - right.edits)
    .slice(0, MOST_SHOWN)
    .map(({ candidate }) => candidate);
}

/**
 * A sentence or two on what could have been meant: near names, and what there is.
 * @param what plural of the thing named: `tools`, `models`
 */
export function namesHint(name: string, known: readonly string[], what: string): string {
  if (known.length === 0) return `There are no ${what}.`;
  const near = nearNames(name, known);
  const shown = known.slice(0, MOST_LISTED).join(', ');
  const more = known.length > MOST_LISTED ? ` and ${known.length - MOST_LISTED} more` : '';
  const list = `The ${what} are: ${shown}${more}.`;
  return near.length === 0 ? list : `Did you mean ${near.join(' or ')}? ${list}`;
}
