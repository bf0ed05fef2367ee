import { createHash } from 'node:crypto';
import type { OutputRef } from '@skillyard/contracts';

/** Measures a stream on its way into a store, and lets only so much of it through. */
export class OutputMeter {
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #kept = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns what of the chunk is to be kept; may be empty */
  take(chunk: Uint8Array): Uint8Array {
    this.#bytes += chunk.length;
    const part = chunk.subarray(0, this.#maxBytes - this.#kept);
    this.#kept += part.length;
    this.#hash.update(part);
    return part;
  }

  /** What was seen. Ends the measuring. */
  measure(): Pick<OutputRef, 'bytes' | 'kept' | 'sha256'> {
    return { bytes: this.#bytes, kept: this.#kept, sha256: this.#hash.digest('hex') };
  }
}
