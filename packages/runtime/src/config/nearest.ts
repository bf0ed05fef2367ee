/**
 * The known word a person most likely meant.
 * @param word  as written
 * @param known what could have been written
 * @returns undefined when nothing is close enough to be worth a suggestion
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted.length >= 3) {
    for (const candidate of known) if (candidate.toLowerCase().startsWith(`${wanted}_`)) return candidate;
  }
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits (insert, delete, replace, swap of neighbours) between two words; `ceiling` when there are at least that many. */
function editDistance(a: string, b: string, ceiling: number): number {
  if (Math.abs(a.length - b.length) >= ceiling) return ceiling;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? ceiling, ceiling);
}

/** `did you mean `x`?` when something is close, otherwise what is allowed. */
export function suggest(word: string, known: readonly string[]): string {
  const close = nearest(word, known);
  if (close !== undefined) return `did you mean \`${close}\`?`;
  return known.length === 0 ? 'nothing is allowed here' : `known here: ${known.join(', ')}`;
}
