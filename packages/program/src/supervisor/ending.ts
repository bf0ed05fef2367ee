import type { ProgramRequirement } from '@skillyard/contracts';
import { ProgramError } from '../program-error.ts';
import { Fields } from '../protocol/fields.ts';
import type { TerminalText } from '../protocol/program-output.ts';
import type { Ending, RunState } from './run-state.ts';
import type { HeldRun } from './supervised-run.ts';
import type { Progress } from './supervision.ts';

const UNPROVEN = 'rejected (completion-unproven)';

/**
 * Closes a run with what its program ended with. Requirements are written now, and never earlier: before the end the program tells
 * them again each time it is run.
 * @throws ProgramError COMPLETION_UNPROVEN
 */
export function endRun(
  run: HeldRun,
  terminal: TerminalText,
  requirements: readonly ProgramRequirement[],
): Progress {
  const { state } = run;
  for (const requirement of unrecorded(state, requirements)) {
    const { claim, passed, evidence_digest } = requirement;
    run.append(
      passed ? 'requirement.passed' : 'requirement.failed',
      JSON.stringify({ claim, passed, evidence_digest }),
    );
  }
  const ending = endingOf(state, terminal, requirements);
  run.append(ending.type, ending.data);
  const { status, reason, result } = terminal;
  if (status === 'completed' && ending.type === 'run.blocked') throw unproven(reasonIn(ending));
  return { kind: 'ended', runId: state.runId, status, reason, result };
}

/** The record that a terminal closes a run with. A completion over a requirement that has failed is none. */
export function endingOf(
  state: RunState,
  { status, reason, result }: TerminalText,
  requirements: readonly ProgramRequirement[],
): Ending {
  if (status === 'refused') return { type: 'run.refused', data: JSON.stringify({ reason }) };
  if (status !== 'completed') return { type: 'run.blocked', data: JSON.stringify({ reason }) };
  const failed = [...requirements, ...state.requirements].find(({ passed }) => !passed);
  if (failed === undefined)
    return {
      type: 'run.completed',
      data: `{"requirements":${requirements.length},"result":${result ?? 'null'}}`,
    };
  const why = `${UNPROVEN}: requirement ${JSON.stringify(failed.claim)} failed; completion is refused`;
  return { type: 'run.blocked', data: JSON.stringify({ reason: why }) };
}

/**
 * What a closed run has come to.
 * @throws ProgramError COMPLETION_UNPROVEN when it was closed for that
 */
export function progressOfEnding(state: RunState, ending: Ending): Progress {
  const ended = { kind: 'ended', runId: state.runId } as const;
  if (ending.type === 'run.completed') {
    const result = new Fields(ending.data, ending.type, ['requirements', 'result']).text('result');
    return { ...ended, status: 'completed', reason: '', result: result === 'null' ? null : result };
  }
  const reason = reasonIn(ending);
  if (ending.type === 'run.refused') return { ...ended, status: 'refused', reason, result: null };
  if (reason.startsWith(UNPROVEN)) throw unproven(reason);
  const failed = state.requirements.some(({ claim, passed }) => !passed && claim === reason);
  return { ...ended, status: failed ? 'requirement_failed' : 'blocked', reason, result: null };
}

/** What of a trail is not in the log yet: whoever died while writing it has left its beginning there. */
function unrecorded(
  { requirements: recorded }: RunState,
  requirements: readonly ProgramRequirement[],
): readonly ProgramRequirement[] {
  const isBeginning = recorded.every(({ claim, passed, evidence_digest }, index) => {
    const now = requirements[index];
    return now?.claim === claim && now.passed === passed && now.evidence_digest === evidence_digest;
  });
  return isBeginning ? requirements.slice(recorded.length) : requirements;
}

function reasonIn(ending: Ending): string {
  return (JSON.parse(ending.data) as { readonly reason: string }).reason;
}

function unproven(reason: string): ProgramError {
  return new ProgramError('COMPLETION_UNPROVEN', reason);
}
