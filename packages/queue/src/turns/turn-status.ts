import type { JobId, TurnId, TurnOrigin, TurnOutcome, TurnStatus } from '@skillyard/contracts';

/** Where a turn stands. `queued` means that no orchestrator has started it yet. */
export type TurnState = 'queued' | 'running' | TurnStatus;

/** What is known of a turn without its records. */
export interface TurnView {
  readonly turnId: TurnId;
  readonly status: TurnState;
  readonly submittedAtMs: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** null while the turn lives. */
  readonly outcome: TurnOutcome | null;
  /** The delegate job it answers; null for a turn that was submitted from outside. */
  readonly parent: JobId | null;
  /** The name of its skill; what its file is called, when nobody said. */
  readonly skillName: string;
  /** Hash of the text of its skill. */
  readonly skillHash: string;
  readonly origin: TurnOrigin;
  /** Questions to people that it waits for. */
  readonly waiting: number;
}

export function hasEnded(status: TurnState): boolean {
  return status !== 'queued' && status !== 'running';
}
