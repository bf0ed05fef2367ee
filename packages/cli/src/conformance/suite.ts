import type { CommandContext } from '../commands/context.ts';
import type { CaseResult } from './run-case.ts';

/** Options of the command; a suite reads those that mean something to it. */
export interface SuiteOptions {
  readonly driver?: string;
  readonly fanOut?: string;
  readonly redis?: string;
}

/** Reads the cases at the paths, runs them, and says how each went, in their order. */
export type Suite = (
  paths: readonly string[],
  options: SuiteOptions,
  context: CommandContext,
) => Promise<readonly CaseResult[]>;
