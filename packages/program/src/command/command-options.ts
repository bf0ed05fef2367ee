import type { OutputStore } from './output-store.ts';

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
