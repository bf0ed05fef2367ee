import type { StepError, TurnId, TurnOutcome } from '@skillyard/contracts';
import type { TurnChanges } from '@skillyard/queue';

/** The end of a turn that the machine never saw, or can no longer see. */
export function endedWithoutRunning(
  turnId: TurnId,
  version: number,
  end: { readonly status: 'failed' | 'cancelled'; readonly error: StepError },
  nowMs: number,
): TurnChanges & { readonly outcome: TurnOutcome } {
  const outcome: TurnOutcome = {
    ...end,
    vars: {},
    answer: '',
    answeredBy: '',
    skipped: [],
    exitReason: null,
    usage: { generations: 0, calls: 0, inputTokens: 0, outputTokens: 0 },
  };
  return {
    turnId,
    version,
    written: [],
    removed: [],
    events: [{ type: 'turn.finished', status: end.status, atMs: nowMs }],
    asked: [],
    settled: [],
    outcome,
  };
}
