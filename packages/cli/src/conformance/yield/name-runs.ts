import type { Ended } from '../run-process.ts';
import { type CallStep, RUN_NAME } from './transcript.ts';
import type { TranscriptPlay } from './transcript-play.ts';
import { runsOf } from './transcript-run.ts';
import type { Place } from './transcript-unshown.ts';

const RUN_ID = /run_\d+_[0-9a-f]{10}/;

/** The run that a name stands for among those of a skill: one that was not named yet gets it. */
export async function runNamed(
  name: string,
  skill: string,
  { names }: TranscriptPlay,
): Promise<string | null> {
  const runs = await runsOf(skill);
  const known = names.runOf(name);
  if (known !== undefined && runs.includes(known)) return known;
  const unnamed = runs.find((run) => !names.isNamed(run));
  if (unnamed !== undefined) names.nameRun(name, unnamed);
  return unnamed ?? null;
}

/** Gives the run that a call has begun the name that the recording has for it. */
export async function nameNewRun(
  call: CallStep,
  { stdout }: Ended,
  { skill }: Place,
  { names }: TranscriptPlay,
): Promise<string | null> {
  const verb = call.argv[1] ?? '';
  const begun =
    verb === 'run' && skill !== null ? (await runsOf(skill)).find((run) => !names.isNamed(run)) : undefined;
  const run = begun ?? (verb === 'test' || verb === 'doctor' ? RUN_ID.exec(stdout)?.[0] : undefined);
  if (run === undefined) return null;
  // Where the recorded call does not name it, a later one may.
  const name = call.stdout.match(RUN_NAME)?.[0];
  if (name !== undefined && names.runOf(name) === undefined) names.nameRun(name, run);
  return run;
}
