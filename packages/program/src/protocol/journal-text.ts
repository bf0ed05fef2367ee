import type { Journal } from './program-output.ts';

/** The journal a program is started with, one line. */
export function journalText(journal: Journal): string {
  throw new Error(`not yet: ${journal.runId}`);
}
