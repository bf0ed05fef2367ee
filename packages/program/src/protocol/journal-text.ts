import type { Journal, JournalEntry } from './program-output.ts';

/** The journal a program is started with: one line, in which requests, results and the input stand as they are. */
export function journalText(journal: Journal): string {
  const head = `"run_id":${JSON.stringify(journal.runId)},"skill":${JSON.stringify(journal.skill)}`;
  const entries = journal.entries.map((entry, index) => entryText(entry, journal.runId, index + 1));
  const input = journal.input === null ? '' : `,"input":${journal.input}`;
  return `{${head},"entries":[${entries.join(',')}]${input}}`;
}

function entryText({ requestId, request, result }: JournalEntry, runId: string, sequence: number): string {
  const head = JSON.stringify({ run_id: runId, sequence, request_id: requestId, status: 'completed' });
  return `{"request":${request},"response":${head.slice(0, -1)},"result":${result}}}`;
}
