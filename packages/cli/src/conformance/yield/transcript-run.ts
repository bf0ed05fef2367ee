import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogEdit } from './transcript-log.ts';

/** Ids of the runs of a skill, in the order in which they were started or touched last; none where there is no folder. */
export async function runsOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(runsFolder(folder)).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => name.replace(/\.jsonl$/, ''));
}

export function runsFolder(folder: string): string {
  return join(folder, '.yield', 'runs');
}

/** The file of the log of a run. */
export function logFile(folder: string, run: string): string {
  return join(runsFolder(folder), `${run}.jsonl`);
}

/** The lines of a log. */
export async function logLines(folder: string, run: string): Promise<readonly string[]> {
  const text = await readFile(logFile(folder, run), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** What a call came to, or must come to. */
export interface CallReply {
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What is remembered of a run while its recording is repeated. */
export interface RunMemory {
  /** What the last call came to that took an answer, or began the run. */
  frontier: CallReply;
  /** The compact text of the answer that was taken last. */
  answer: string | null;
  /** How many answers were taken. */
  answers: number;
  /** How many rejections its log should have by now. */
  rejections: number;
  /** What corrections make of its recorded log, in the order in which they were met. */
  readonly edits: LogEdit[];
}
