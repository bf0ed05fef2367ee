import type { FlagKinds, Flags } from './parse-flags.ts';
import type { ProgramIo } from './program-io.ts';

/** What a verb was called with. */
export interface VerbCall {
  /** What is no flag, in the order given. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly io: ProgramIo;
}

/** One word of the command line, and what it does. */
export interface Verb {
  readonly name: string;
  /** What stands behind the name: `<skill folder> [--input <file>]`. */
  readonly usage: string;
  /** One line for the help. */
  readonly summary: string;
  /** The flags that there are; another one is refused before the verb is run. */
  readonly flags: FlagKinds;
  /**
   * @returns the exit code
   * @throws ProgramError, which is said on stderr and gives 1
   */
  run(call: VerbCall): Promise<number>;
}
