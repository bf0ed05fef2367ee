import type { StepStatus, TurnState } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import type { RowOutcome } from '../turn/waterfall.ts';

/** What a turn, a step, a job or a requirement can be in, with its sign and the tone it is shown in. Colour never says it alone. */
const MARKS = {
  queued: ['◌', 'idle'],
  running: ['●', 'busy'],
  completed: ['✓', 'good'],
  exited: ['↩', 'good'],
  refused: ['⊘', 'warn'],
  blocked: ['◼', 'warn'],
  requirement_failed: ['✕', 'warn'],
  denied: ['⊘', 'bad'],
  failed: ['✕', 'bad'],
  cancelled: ['■', 'idle'],
  passed: ['✓', 'good'],
  ok: ['✓', 'good'],
  empty: ['○', 'good'],
  degraded: ['▲', 'warn'],
  truncated: ['▲', 'warn'],
  skipped: ['↷', 'idle'],
  error: ['✕', 'bad'],
  exit: ['↩', 'good'],
  stopped: ['■', 'idle'],
  lost: ['?', 'bad'],
} as const satisfies Record<
  TurnState | RowOutcome | StepStatus | 'passed',
  readonly [sign: string, tone: string]
>;

/** The tone that a state is shown in, as the style sheets call it. */
export function toneOf(state: keyof typeof MARKS): string {
  return MARKS[state][1];
}

/** A state as people read it. */
export function wordOf(state: keyof typeof MARKS): string {
  return state.replaceAll('_', ' ');
}

/** A state as a sign and a word. */
export function OutcomeMark({ state }: { state: keyof typeof MARKS }): ReactNode {
  const [sign, tone] = MARKS[state];
  return (
    <span className={`mark-of ${tone}`}>
      <span aria-hidden="true">{sign}</span> {wordOf(state)}
    </span>
  );
}
