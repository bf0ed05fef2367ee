import type { TerminalStatus } from '@skillyard/contracts';
import { ProgramError } from '../program-error.ts';
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

/** What a run is taken up with. */
export interface ResumeOptions {
  /** The text of a response envelope; null: the run goes on from where it is. */
  readonly response: string | null;
  /** The sources may have changed since the run was bound to them. */
  readonly acceptNewDigest?: boolean;
  /** A command that may have been run already is run once more. */
  readonly runAgain?: boolean;
}

/**
 * Starts a run and supervises it until it needs an answer or has ended.
 * @param input the bytes of the input; null: there is none
 * @throws ProgramError
 */
export async function startRun(_supervision: Supervision, _input: Uint8Array | null): Promise<Progress> {
  throw new ProgramError('PROGRAM_FAILED', 'not there yet');
}

/**
 * Takes a run up again, with a response or without.
 * @throws ProgramError REJECTED, IN_FLIGHT, LOCKED, DIVERGED and what a run throws
 */
export async function resumeRun(
  _supervision: Supervision,
  _runId: string,
  _options: ResumeOptions,
): Promise<Progress> {
  throw new ProgramError('PROGRAM_FAILED', 'not there yet');
}

/** An answer without its envelope: what was typed to a question, or the JSON text of a result. */
export type Answer = { readonly value: string } | { readonly resultJson: string };

/**
 * Answers the operation that a run waits for.
 * @throws ProgramError as {@link resumeRun}
 */
export async function respondRun(
  _supervision: Supervision,
  _runId: string,
  _answer: Answer,
): Promise<Progress> {
  throw new ProgramError('PROGRAM_FAILED', 'not there yet');
}
