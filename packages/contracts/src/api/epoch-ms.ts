/** Bounds of a time in milliseconds since the epoch that somebody gives: `Date` reads no later one. */
export const EPOCH_MS = { minimum: 0, maximum: 8_640_000_000_000_000 } as const;
