import { Type } from 'typebox';

export const DURATION_PATTERN = '^[0-9]+(ms|s|m|h)$';

/** A duration as people write it: `500ms`, `30s`, `5m`, `2h`. */
export const Duration = Type.String({ pattern: DURATION_PATTERN });

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/**
 * Reads a duration as people write it.
 * @param text `500ms`, `30s`, `5m` or `2h`
 * @returns milliseconds, or undefined if the text is no duration
 */
export function parseDurationMs(text: string): number | undefined {
  const match = /^([0-9]{1,9})(ms|s|m|h)$/.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}
