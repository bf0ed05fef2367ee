import type { CodeRef, CodeRound, DecideJob } from '@skillyard/contracts';

/** A turn whose code is asked what to do. */
export type DecisionAsked = Pick<DecideJob, 'turnId' | 'event'> & {
  readonly code: CodeRef;
  readonly rounds: CodeRound[];
};
