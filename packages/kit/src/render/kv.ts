/** One line a key, the values under one another. */
export function kv(pairs: Readonly<Record<string, unknown>>): string {
  const keys = Object.keys(pairs);
  const width = keys.reduce((longest, key) => Math.max(longest, key.length), 0);
  return keys.map((key) => `${key.padEnd(width)}  ${String(pairs[key])}`).join('\n');
}
