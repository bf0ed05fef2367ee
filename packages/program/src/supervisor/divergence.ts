import type { Divergence } from '@skillyard/contracts';
import { ProgramError } from '../program-error.ts';
import { whereTheyDiffer } from '../protocol/differ.ts';
import { type HeldRun, produceOutput, type RecordedRun } from './supervised-run.ts';

const UNCHANGEABLE =
  ' — the skill program changed behavior mid-run; resume with --accept-new-digest only rebinds sources, divergence always fails the run';

/**
 * Writes down that a program has diverged, and says so. The run stays open: with its program as it was, it can go on.
 * @throws ProgramError DIVERGED, always
 */
export async function diverge(run: HeldRun, divergence: Divergence): Promise<never> {
  const { sequence, expected_digest, got_digest, detail } = divergence;
  const data = JSON.stringify({ sequence, expected_digest, got_digest, detail });
  // Who tries again and again learns nothing new, and neither does the log.
  if (run.state.lastDivergence !== data) run.append('replay.diverged', data);
  throw await divergedError(run, divergence, UNCHANGEABLE);
}

/** The error of a program that has diverged: with both digests, and where the requests differ. */
export async function divergedError(
  run: RecordedRun,
  divergence: Divergence,
  consequence = '',
): Promise<ProgramError> {
  const { sequence, expected_digest, got_digest, detail } = divergence;
  const what = [
    `replay diverged at sequence ${sequence}${detail === undefined ? '' : `: ${detail}`}${consequence}`,
    `  recorded: ${expected_digest}`,
    `  now: ${got_digest}`,
    `  ${await difference(run, sequence)}`,
  ];
  return new ProgramError('DIVERGED', what.join('\n'));
}

/** Run once more without the answer to what is disputed, the program says what it asks for now. */
async function difference(run: RecordedRun, sequence: number): Promise<string> {
  const recorded = run.state.entries[sequence - 1];
  if (recorded === undefined) return 'nothing is recorded at this place';
  try {
    const output = await produceOutput(run, run.state.entries.slice(0, sequence - 1));
    if (output.type !== 'request' || output.envelope.sequence !== sequence)
      return 'run once more up to this place, the program asks for nothing here';
    return whereTheyDiffer(recorded.request, output.envelope.request.text);
  } catch (error) {
    if (!ProgramError.is(error)) throw error;
    return `run once more up to this place, the program fails: ${error.message}`;
  }
}
