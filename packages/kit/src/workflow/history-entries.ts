/** A step as the protocols carry it. */
export interface HistoryEntry {
  readonly step: string;
  readonly response: unknown;
  readonly actionResult: unknown;
}

/**
 * The entries of a history from outside. What is no array has none.
 * @param warn hears of every entry that is skipped because it is malformed
 */
export function historyEntries(history: unknown, warn: (line: string) => void): readonly HistoryEntry[] {
  if (!Array.isArray(history)) {
    return [];
  }
  const entries: HistoryEntry[] = [];
  for (const [index, entry] of history.entries()) {
    if (isEntry(entry)) {
      entries.push({ step: entry.step, response: entry.response, actionResult: entry.actionResult });
    } else {
      warn(`entry ${index + 1} of the history is skipped: it has to be an object with a step and a response`);
    }
  }
  return entries;
}

function isEntry(entry: unknown): entry is { step: string; response: unknown; actionResult?: unknown } {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'step' in entry &&
    typeof entry.step === 'string' &&
    'response' in entry
  );
}
