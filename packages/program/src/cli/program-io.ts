/** What the commands of this package touch of their process. */
export interface ProgramIo {
  /** Paths are seen from here. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array | string>;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Aborted when the process is asked to end. */
  readonly signal?: AbortSignal;
}
