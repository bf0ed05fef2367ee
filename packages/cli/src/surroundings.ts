/** What a command may see and touch of the process it runs in. Tests give it other streams. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Who sits at the terminal; absent when nobody does. */
  readonly person?: Person;
  /**
   * Calls back at each Ctrl-C (SIGINT), SIGTERM and SIGHUP until the returned function is called.
   * While nobody listens, a signal ends the process at once.
   */
  onInterrupt(listener: (signal: InterruptSignal) => void): () => void;
  /** Ends the process without waiting for anything. */
  exitNow(code: number): void;
}

/** A person who can be asked. */
export interface Person {
  /**
   * Waits for a line.
   * @param prompt stands before it
   * @param signal ends the waiting, as the end of the input does
   * @returns null when none will come
   */
  ask(prompt: string, signal: AbortSignal): Promise<string | null>;
}

/** SIGHUP: the terminal has been closed. */
export type InterruptSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The part of a writable stream that is used. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}
