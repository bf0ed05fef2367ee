/** What the command line of a skill touches of its process. */
export interface CliIo {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that `references/` lies in. */
  readonly skillDir: string;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Where in the author's sources an error arose; null when that cannot be told. */
  placeOf?(error: unknown): string | null;
  /** Aborted when the process is asked to end. */
  readonly signal?: AbortSignal;
}
