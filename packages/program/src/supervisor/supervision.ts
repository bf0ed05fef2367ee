import type { TerminalStatus } from '@skillyard/contracts';
import type { EnvelopeText } from '../protocol/program-output.ts';

/** Whose runs are supervised, and by what means. */
export interface Supervision {
  /** Of the skill, absolute. */
  readonly folder: string;
  /** Where logs are; `<folder>/.yield/runs` when it is not given. */
  readonly runsFolder?: string;
  /** The environment of the program and of its commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** What the program says on stderr, and what the supervisor has to say itself. */
  onStderr(text: string): void;
}

/** How far a run has come. */
export type Progress =
  | { readonly kind: 'pending'; readonly runId: string; readonly envelope: EnvelopeText }
  | {
      readonly kind: 'ended';
      readonly runId: string;
      readonly status: TerminalStatus;
      readonly reason: string;
      /** A compact text; null: there is none. */
      readonly result: string | null;
    };
