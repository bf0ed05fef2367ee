import type { ProgramSkill } from '@skillyard/contracts';

/** One operation of an earlier run and its answer. Only the request is compared: a supervisor has checked the answer. */
export interface RecordedEntry {
  readonly request: {
    readonly id: string;
    readonly kind: string;
    readonly payload?: unknown;
    readonly output_schema?: unknown;
  };
  readonly response: { readonly result?: unknown };
}

/** A journal as a program sees it. */
export interface RecordedJournal {
  readonly run_id: string;
  readonly skill: ProgramSkill;
  readonly entries?: readonly RecordedEntry[] | null;
  readonly input?: unknown;
}

/** @throws SyntaxError when the text is no journal */
export function readJournal(text: string): RecordedJournal {
  const journal: unknown = JSON.parse(text);
  if (!isObject(journal)) throw new SyntaxError('a journal is an object');
  const entries = journal['entries'] ?? [];
  if (!Array.isArray(entries) || !entries.every(isEntry)) {
    throw new SyntaxError('the entries of a journal are a list of {request, response}');
  }
  return journal as unknown as RecordedJournal;
}

function isEntry(entry: unknown): boolean {
  return isObject(entry) && isObject(entry['request']) && isObject(entry['response']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
