import { ProgramError } from '../program-error.ts';
import type { EnvelopeText } from '../protocol/program-output.ts';
import { isSame, refuseForeign } from './advance.ts';
import { divergedError } from './divergence.ts';
import { endingOf } from './ending.ts';
import { produceOutput, recordedRun, type RecordedRun } from './supervised-run.ts';
import type { Progress, Supervision } from './supervision.ts';

/**
 * Runs the program of a run once with all that is recorded, and looks whether it comes to where the run is. Nothing is written, and no
 * command is run.
 * @throws ProgramError DIVERGED when it comes to something else
 */
export async function replayRun(supervision: Supervision, runId: string): Promise<Progress> {
  const run = await recordedRun(supervision, runId);
  const output = await produceOutput(run, run.state.entries);
  switch (output.type) {
    case 'diverged':
      throw await divergedError(run, output.divergence);
    case 'request':
      refuseForeign(run, output.envelope);
      refuseOtherRequest(run, output.envelope);
      return { kind: 'pending', runId, envelope: output.envelope };
    case 'terminal': {
      const { status, reason, result } = output.terminal;
      refuseOtherEnding(run, endingOf(run.state, output.terminal, output.requirements).data);
      return { kind: 'ended', runId, status, reason, result };
    }
  }
}

function refuseOtherRequest({ state }: RecordedRun, envelope: EnvelopeText): void {
  if (state.pending === null)
    throw diverged('replay reached a new operation where the log records none that is pending');
  if (!isSame(state.pending, envelope))
    throw diverged('replay reached a different pending operation than recorded');
}

function refuseOtherEnding({ state }: RecordedRun, now: string): void {
  if (state.pending !== null)
    throw diverged('replay reached an end where the log records a pending operation');
  if (state.ending !== null && state.ending.data !== now)
    throw diverged(
      `replay reached a different end than recorded\n  recorded: ${state.ending.data}\n  now: ${now}`,
    );
}

function diverged(message: string): ProgramError {
  return new ProgramError('DIVERGED', message);
}
