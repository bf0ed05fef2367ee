import type { ProgramOutput } from './program-output.ts';

/**
 * What a program printed, admitted or refused whole.
 * @throws ProgramError OUTPUT_INVALID
 */
export function readOutput(stdout: string): ProgramOutput {
  throw new Error(`not yet: ${stdout}`);
}
