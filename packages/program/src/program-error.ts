/**
 * What can be wrong with a program or with how it is driven.
 *
 * - `USAGE`: a command line that cannot be understood.
 * - `NOT_FOUND`: a skill, a run or a file that is not there.
 * - `SKILL_INVALID`: the manifest, the metadata or the fixtures of a skill.
 * - `PROGRAM_FAILED`: the program did not start, threw, or took too long.
 * - `OUTPUT_INVALID`: what the program printed is no output of the protocol.
 * - `DIVERGED`: run again, it asked for something else.
 * - `REJECTED`: a response that is not taken.
 * - `COMPLETION_UNPROVEN`: it completed over a requirement that had failed.
 * - `IN_FLIGHT`: a command may have been run, and nobody recorded what came of it.
 * - `LOG_CORRUPT`: the log of a run cannot be read.
 * - `LOCKED`: another supervisor is at this run.
 * - `COMMAND_FAILED`: a command could not be started at all.
 * - `ANSWER_INVALID`: an answer that the schema of the program refuses, beyond what its JSON Schema says.
 * - `SCHEMA_UNUSABLE`: a schema that cannot be written as JSON Schema, or that validates asynchronously.
 * - `BUILD_FAILED`: sources that cannot be bundled.
 */
export type ProgramErrorCode =
  | 'USAGE'
  | 'NOT_FOUND'
  | 'SKILL_INVALID'
  | 'PROGRAM_FAILED'
  | 'OUTPUT_INVALID'
  | 'DIVERGED'
  | 'REJECTED'
  | 'COMPLETION_UNPROVEN'
  | 'IN_FLIGHT'
  | 'LOG_CORRUPT'
  | 'LOCKED'
  | 'COMMAND_FAILED'
  | 'ANSWER_INVALID'
  | 'SCHEMA_UNUSABLE'
  | 'BUILD_FAILED';

/** An error of a program or of its supervisor. The message is for people. */
export class ProgramError extends Error {
  readonly code: ProgramErrorCode;
  /** What to do about it, where the message does not say so: many messages are those of the protocol, to the letter. */
  readonly hint: string | null;

  constructor(
    code: ProgramErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly hint?: string } = {},
  ) {
    super(message, options);
    this.name = 'ProgramError';
    this.code = code;
    this.hint = options.hint ?? null;
  }

  /** The message, and what to do in a line of its own. */
  get advice(): string {
    return this.hint === null ? this.message : `${this.message}\nhint: ${this.hint}`;
  }

  /** Whether something thrown is one of these, and of this code when one is given. */
  static is(error: unknown, code?: ProgramErrorCode): error is ProgramError {
    return error instanceof ProgramError && (code === undefined || error.code === code);
  }
}
