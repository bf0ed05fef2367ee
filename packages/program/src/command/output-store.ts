import type { OutputRef } from '@skillyard/contracts';

export type OutputName = 'stdout' | 'stderr';

/** What is kept of one stream when nobody says otherwise. */
export const DEFAULT_OUTPUT_BYTES = 128 * 1024 * 1024;

/** Where the bytes of a command go that its result cannot hold as text. */
export interface OutputStore {
  /**
   * Keeps a stream. It is read to its end whatever its length, for a command that is not read stands still; bytes past the
   * limit of the store are counted and dropped.
   * @throws what `chunks` throws; then nothing is left behind
   */
  keep(name: OutputName, chunks: AsyncIterable<Uint8Array>): Promise<OutputRef>;
}
