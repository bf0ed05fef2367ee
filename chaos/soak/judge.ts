import type { TraceEvent, TurnOutcome } from '@skillyard/contracts';
import type { Kind } from '../kinds.ts';

/** What became of a turn of the soak. */
export interface Ended {
  readonly key: string;
  readonly kind: Kind;
  /** null when it did not end in time. */
  readonly outcome: TurnOutcome | null;
  readonly events: readonly TraceEvent[];
}

export interface Judgement {
  /** Whether a call that must not run twice lost its worker, and its step said so. */
  readonly lost: boolean;
  readonly violations: readonly string[];
}

/**
 * Compares a turn with what is promised (design, 5.2).
 * @param executions lines that its tools wrote, counted when everything was over
 */
export function judge({ key, kind, outcome, events }: Ended, executions: number): Judgement {
  if (outcome === null) return { lost: false, violations: [`${key}: did not end`] };
  const violations: string[] = [];
  const complain = (what: string): void => void violations.push(`${key} (${kind.name}): ${what}`);
  const isRight = outcome.status === 'completed' && outcome.answer === kind.answer(key);
  const lost = kind.effect === 'once' && !isRight && isLostEnd(kind, key, outcome);
  if (!isRight && !lost) {
    complain(`ended as ${outcome.status} with "${outcome.answer}" ${JSON.stringify(outcome.error)}`);
  }
  if (kind.effect === 'once' && executions > kind.executions) complain(`its call ran ${executions} times`);
  if (!lost && executions < kind.executions) complain(`answered after ${executions} executions`);
  const rows = events.flatMap((event) => (event.type === 'step.finished' ? [event.path] : []));
  if (new Set(rows).size !== rows.length) complain(`a step has two rows: ${rows.join(' ')}`);
  const ends = events.filter(({ type }) => type === 'turn.finished').length;
  if (ends !== 1) complain(`its trace ends ${ends} times`);
  return { lost, violations };
}

function isLostEnd(kind: Kind, key: string, { status, answer, error }: TurnOutcome): boolean {
  if (kind.answerIfLost === undefined) return status === 'failed' && error?.code === 'STEP_LOST';
  return status === 'completed' && answer === kind.answerIfLost(key);
}
