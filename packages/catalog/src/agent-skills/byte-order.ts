/** Compares by the bytes of UTF-8, so that every machine and every locale gives the same order. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    // Surrogates stand for characters behind all others, though their numbers do not.
    if (left >= SURROGATES && right >= SURROGATES) return behind(left) - behind(right);
    return left - right;
  }
  return a.length - b.length;
}

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;

function behind(unit: number): number {
  return unit < AFTER_SURROGATES ? unit + 0x10000 : unit;
}
