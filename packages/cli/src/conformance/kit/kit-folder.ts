import type { CaseResult } from '../run-case.ts';
import { compareRecorded } from './compare-recorded.ts';
import { correctionOf, type Reply } from './corrections.ts';
import type { KitWorkspace } from './kit-workspace.ts';
import type { DefectTags } from './read-index.ts';

/** A folder of recordings, as those who run its files see it. */
export interface KitFolder {
  readonly root: string;
  readonly tags: DefectTags;
  readonly workspace: KitWorkspace;
}

/** Runs what one file recorded: a result for each of its entries, in their order. */
export type RunRecording = (recording: unknown, name: string, folder: KitFolder) => Promise<CaseResult[]>;

/** What one entry of a file is, and what became of it here. */
export interface Entry {
  readonly name: string;
  /** Which of the file: `3`, or its label. */
  readonly entry: string;
  readonly title: string;
  readonly tags: readonly string[];
}

/** Compares one entry; a difference that is a correction passes and says so. */
export function judge({ name, entry, title, tags }: Entry, reply: Reply): CaseResult {
  const id = `${name}#${entry}`;
  const found = compareRecorded(reply.recorded, reply.actual);
  const passed = { id, op: 'kit', title, problem: null };
  if (found.length === 0) return { ...passed, differences: [] };
  const correction = correctionOf(tags, found, reply);
  return correction === null ? { ...passed, differences: found } : { ...passed, differences: [], correction };
}

/** An entry that could not be run. */
export function notRun({ name, entry, title }: Omit<Entry, 'tags'>, problem: string): CaseResult {
  return { id: `${name}#${entry}`, op: 'kit', title, differences: [], problem };
}
