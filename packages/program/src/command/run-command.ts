import type { CommandResult } from '@skillyard/contracts';
import type { OutputStore } from './output-store.ts';

/** What a command may take when its program does not say. */
export const DEFAULT_COMMAND_TIMEOUT_MS = 600_000;

/** What each process of a command may take; nothing is limited when absent. */
export interface CommandLimits {
  readonly cpuSeconds?: number | undefined;
  readonly memoryMb?: number | undefined;
  readonly fileMb?: number | undefined;
  readonly openFiles?: number | undefined;
}

export interface CommandOptions {
  /** For `sh -c`. */
  readonly command: string;
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly limits?: CommandLimits;
  readonly output: OutputStore;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a command and says what came of it. Whatever it has started ends with it.
 * @throws ProgramError COMMAND_FAILED when it could not be started; what the store throws; what the signal was aborted with
 */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  throw new Error(`not written yet: ${options.command}`);
}
