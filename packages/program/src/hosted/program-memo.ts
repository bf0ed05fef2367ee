import type { CodeRound, Json } from '@skillyard/contracts';

/** What is remembered of one decision. Requests and results are the compact texts that a program is run again with. */
export interface ProgramMemo {
  /** What the operation that was under way came to; null when it was not taken, or there was none. */
  readonly result: string | null;
  /** The operation that is under way from here on; null when it is still the one before, or the turn has ended. */
  readonly request: string | null;
  /** Answers to the operation under way that were not taken. */
  readonly refusals: number;
}

/** An operation that has been answered. */
export interface AnsweredOperation {
  /** From 1. */
  readonly sequence: number;
  readonly request: string;
  readonly result: string;
}

/** What is remembered of all decisions of a turn so far. */
export interface RememberedProgram {
  readonly operations: readonly AnsweredOperation[];
  /** The request of the operation under way; null before the first one, and when the turn has ended. */
  readonly pending: string | null;
  readonly refusals: number;
}

/** Puts the memos of a turn together. */
export function rememberProgram(rounds: readonly CodeRound[]): RememberedProgram {
  const operations: AnsweredOperation[] = [];
  let pending: string | null = null;
  let refusals = 0;
  for (const round of rounds) {
    // The memo is what we gave, kept by others: nobody else writes it.
    const memo = round.memo as unknown as ProgramMemo;
    if (memo.result !== null && pending !== null) {
      operations.push({ sequence: operations.length + 1, request: pending, result: memo.result });
      pending = null;
    }
    pending = memo.request ?? pending;
    refusals = memo.refusals;
  }
  return { operations, pending, refusals };
}

/**
 * The log of a turn: its answered operations in order, with the texts that its program saw. A run of the same program by
 * its own supervisor, answered alike, has the same log.
 */
export function operationsOf(rounds: readonly CodeRound[]): readonly AnsweredOperation[] {
  return rememberProgram(rounds).operations;
}

/** A memo as it is kept. */
export function keptMemo({ result, request, refusals }: ProgramMemo): Json {
  return { result, request, refusals };
}
