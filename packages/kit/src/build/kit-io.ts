/** What the commands of the kit touch of their process. */
export interface KitIo {
  /** Paths are seen from here. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a person types, for `dev`. */
  readonly input: AsyncIterable<Uint8Array | string>;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Aborted when the process is asked to end. */
  readonly signal?: AbortSignal;
}
