import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { Program } from './context.ts';
import { identityProblem } from './identity.ts';
import { readJournal, type RecordedJournal } from './recorded-journal.ts';
import { replayProgram } from './replay-program.ts';

const FAILED = 1;
const CANNOT_START = 2;

/**
 * Runs a program under its supervisor: reads the journal, runs the program from the top, prints the one document that it
 * comes to, and ends the process. Exit code 0 whatever it came to, 1 when the program threw, 2 when it could not be started.
 */
export function main<Result>(program: Program<Result>): void {
  // For a program that waits for what never comes: its process ends without a word, and that is a failure.
  process.exitCode = FAILED;
  const problem = identityProblem(manifestHere(), process.env['YIELD_SUPERVISOR_VERSION']);
  if (problem !== null) return complain(problem, CANNOT_START);
  let journal: RecordedJournal;
  try {
    journal = readJournal(journalText());
  } catch (error) {
    return complain(`cannot read the journal: ${String(error)}`, CANNOT_START);
  }
  replayProgram(program, journal).then(
    (output) => leave(process.stdout, `${output}\n`, 0),
    (error: unknown) => complain(`the program failed: ${inWords(error)}`, FAILED),
  );
}

function manifestHere(): string | null {
  try {
    return readFileSync('skill.json', 'utf8');
  } catch {
    // A program without a manifest that can be read is bound to no release.
    return null;
  }
}

function journalText(): string {
  const path = process.env['YIELD_JOURNAL'] ?? '';
  if (path === '')
    throw new Error('YIELD_JOURNAL is not set; start the program with `skillyard program run <folder>`');
  return readFileSync(path, 'utf8');
}

function complain(problem: string, exitCode: number): void {
  leave(process.stderr, `skillyard-program: ${problem}\n`, exitCode);
}

/** Nothing may keep the process after its program is done, such as a timer of the program; but all must be written. */
function leave(stream: NodeJS.WriteStream, text: string, exitCode: number): void {
  process.exitCode = exitCode;
  stream.write(text, () => process.exit());
}

function inWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}
