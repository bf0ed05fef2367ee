import { ProgramError } from '../program-error.ts';
import type { Manifest } from './manifest.ts';

/** How long one run of a program may take. */
export const PROGRAM_TIMEOUT_MS = 300_000;

/** What one run of a program may print on stdout. */
export const MAX_PROGRAM_OUTPUT_BYTES = 64 * 1024 * 1024;

/** One run of a program, from its top. */
export interface Launch {
  /** Of the skill, absolute. */
  readonly folder: string;
  readonly manifest: Manifest | null;
  readonly journal: string;
  /** The whole environment of the program, but for what the protocol adds. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** {@link PROGRAM_TIMEOUT_MS} when it is not given. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** {@link MAX_PROGRAM_OUTPUT_BYTES} when it is not given. */
  readonly maxBytes?: number;
  onStderr(text: string): void;
}

/**
 * Runs a program once, with a journal.
 *
 * The program has a process group of its own, and all of it ends with the program, or at its time limit.
 * @returns what it printed on stdout
 * @throws ProgramError PROGRAM_FAILED when it did not start, failed, took too long, or printed too much
 */
export async function launchProgram(_launch: Launch): Promise<string> {
  throw new ProgramError('PROGRAM_FAILED', 'not there yet');
}
