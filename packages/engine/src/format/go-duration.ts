import { type Field, wrongType } from './field.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const PART = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/y;

/**
 * Reads a duration as Go spells it, which is how `fetch` writes `ttl` and `timeout`: `90s`, `1h30m`, `1.5s`, `0`.
 * @returns milliseconds, a fraction rounded up so that a short time does not become none; undefined for anything else
 */
export function parseGoDurationMs(text: string): number | undefined {
  if (/^\+?0$/.test(text)) return 0;
  let total = 0;
  PART.lastIndex = text.startsWith('+') ? 1 : 0;
  do {
    const part = PART.exec(text);
    if (part === null) return undefined;
    total += Number(part[1]) * (UNIT_MS[part[2] ?? ''] ?? 0);
  } while (PART.lastIndex < text.length);
  return total <= Number.MAX_SAFE_INTEGER ? Math.ceil(total) : undefined;
}

/** A duration in Go's spelling, in milliseconds. */
export const goDuration: Field<number, 0> = {
  absent: 0,
  read(node, place, reading) {
    const value = node.kind === 'text' ? parseGoDurationMs(node.text) : undefined;
    if (value !== undefined) return value;
    return wrongType(
      node,
      place,
      reading,
      ['a duration', 'Write a number and a unit: 500ms, 90s, 5m or 1h30m.'],
      0,
    );
  },
};
