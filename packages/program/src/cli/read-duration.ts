/** Nanoseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
  d: 86_400e9,
};

/**
 * Reads a duration such as `1h30m`, `1.5h` or `7d`.
 * @returns milliseconds, with a fraction where there is one; null when the text is no duration
 */
export function readDurationMs(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d))+$/.test(text)) return null;
  let sum = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)([a-zµ]+)/g)) {
    sum += Number(count) * (UNITS[unit] ?? 0);
  }
  return sum / 1e6;
}
