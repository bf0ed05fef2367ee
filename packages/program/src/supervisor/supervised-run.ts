import { existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ProgramError } from '../program-error.ts';
import { textDigest } from '../protocol/digest.ts';
import { journalText } from '../protocol/journal-text.ts';
import type { JournalEntry, ProgramOutput } from '../protocol/program-output.ts';
import { readOutput } from '../protocol/read-output.ts';
import { skillDigest } from '../skill/skill-digest.ts';
import { launchProgram } from './launch.ts';
import { type Manifest, programCommand, readManifest } from './manifest.ts';
import { newRunId, privateFolder, refuseLink, type RunFiles, runFiles, runsFolderOf } from './run-files.ts';
import { keepInput, readInput } from './run-input.ts';
import { lockRun } from './run-lock.ts';
import { readLog, RunLog } from './run-log.ts';
import { RunState } from './run-state.ts';
import type { Supervision } from './supervision.ts';

/** A run that is looked at, by whomever it is held. */
export interface RecordedRun {
  readonly supervision: Supervision;
  readonly files: RunFiles;
  readonly manifest: Manifest | null;
  readonly state: RunState;
  /** As it stands in the journal; null: there is none. */
  readonly input: string | null;
}

/** A run that this caller alone goes on with. */
export interface HeldRun extends RecordedRun {
  /** Adds a line to the log; what the run is follows it. */
  append(type: string, data: string): void;
}

/** Where the runs of this skill are. */
export function runsFolder({ folder, runsFolder: elsewhere }: Supervision): string {
  return elsewhere ?? runsFolderOf(folder);
}

/** @throws ProgramError NOT_FOUND, LOG_CORRUPT, SKILL_INVALID */
export async function recordedRun(supervision: Supervision, runId: string): Promise<RecordedRun> {
  const files = runFiles(runsFolder(supervision), runId);
  const content = readLog(files);
  if (content.ending === 'torn')
    supervision.onStderr(`the last line of ${files.log} was not written to its end and is left out\n`);
  const state = RunState.fold(content.records);
  const input = readInput(files, state.inputDigest);
  return { supervision, files, manifest: await readManifest(supervision.folder), state, input };
}

/**
 * Begins a run and holds it while something is done with it.
 * @param input the bytes of the input; null: there is none
 * @throws ProgramError NOT_FOUND, SKILL_INVALID, before anything is written
 */
export async function withNewRun<T>(
  supervision: Supervision,
  input: Uint8Array | null,
  work: (run: HeldRun) => Promise<T>,
): Promise<T> {
  const { folder, env } = supervision;
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false))
    throw new ProgramError('NOT_FOUND', `no such skill folder: ${folder}`);
  const manifest = await readManifest(folder);
  await programCommand(folder, manifest, env);
  const skill = { name: basename(folder), digest: await skillDigest(folder) };
  const runs = runsFolder(supervision);
  if (supervision.runsFolder === undefined) privateFolder(dirname(runs));
  privateFolder(runs);
  const files = runFiles(runs, newRunId());
  const unlock = lockRun(files);
  try {
    if (input !== null) keepInput(files, input);
    const log = RunLog.create(files);
    try {
      const data = { input_digest: textDigest(input ?? ''), run_id: files.runId, skill };
      const state = RunState.fold([log.append('run.started', JSON.stringify(data))]);
      const text = readInput(files, state.inputDigest);
      return await work(held({ supervision, files, manifest, state, input: text }, log));
    } finally {
      log.close();
    }
  } finally {
    unlock();
  }
}

/**
 * Takes a run up and holds it while something is done with it.
 * @throws ProgramError LOCKED when somebody else holds it, and as {@link recordedRun}
 */
export async function withRun<T>(
  supervision: Supervision,
  runId: string,
  work: (run: HeldRun) => Promise<T>,
): Promise<T> {
  const runs = runsFolder(supervision);
  if (supervision.runsFolder === undefined) refuseLink(dirname(runs));
  refuseLink(runs);
  const files = runFiles(runs, runId);
  // Without a log there is nothing to lock, and reading it says so.
  if (!existsSync(files.log)) readLog(files);
  const unlock = lockRun(files);
  try {
    const { log, content } = RunLog.open(files);
    try {
      if (content.ending === 'torn')
        supervision.onStderr(`the last line of ${files.log} was not written to its end and was cut off\n`);
      const state = RunState.fold(content.records);
      const input = readInput(files, state.inputDigest);
      const manifest = await readManifest(supervision.folder);
      return await work(held({ supervision, files, manifest, state, input }, log));
    } finally {
      log.close();
    }
  } finally {
    unlock();
  }
}

function held(run: RecordedRun, log: RunLog): HeldRun {
  return { ...run, append: (type, data) => run.state.apply(log.append(type, data)) };
}

/**
 * Runs the program of a run from its top.
 * @param entries what it is run again with
 * @throws ProgramError PROGRAM_FAILED, OUTPUT_INVALID
 */
export async function produceOutput(
  run: RecordedRun,
  entries: readonly JournalEntry[],
): Promise<ProgramOutput> {
  const { supervision, manifest, state, input } = run;
  const { runId, skill } = state;
  try {
    const journal = journalText({ runId, skill, entries, input });
    return readOutput(await launchProgram({ ...supervision, manifest, journal }));
  } catch (error) {
    if (!ProgramError.is(error)) throw error;
    const hint = error.hint ?? wayOn(run, entries);
    const what = error.code === 'OUTPUT_INVALID' ? 'skill program emitted invalid output: ' : '';
    throw new ProgramError(error.code, `${what}${error.message}`, {
      cause: error,
      ...(hint !== null && { hint }),
    });
  }
}

/** What can be done with a run whose program is wrong; null: nothing was recorded yet, or the run of a test is gone with it. */
function wayOn({ supervision, state }: RecordedRun, entries: readonly JournalEntry[]): string | null {
  if (entries.length === 0 || supervision.runsFolder !== undefined) return null;
  return `the run stays open with what was recorded: \`resume ${state.runId} --accept-new-digest\` goes on with a program that was mended`;
}
