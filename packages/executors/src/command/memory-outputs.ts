import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallJob, type OutputRef, SkillyardError, type WorkingMemory } from '@skillyard/contracts';
import { fileOutputStore, type OutputStore } from '@skillyard/program/command';
import type { Redact } from '../redaction.ts';

export interface MemoryOutputsOptions {
  readonly memory: WorkingMemory;
  /** Of one stream; what the stores of programs take when absent. */
  readonly maxBytes: number | undefined;
  readonly redact: Redact;
}

type OwnerJob = Pick<CallJob, 'id' | 'turnId'>;

/** A value as working memory takes it. */
interface Kept {
  readonly text: string;
  readonly encoding: OutputRef['encoding'];
  /** What lies there, decoded. */
  readonly bytes: Uint8Array;
}

/**
 * Keeps what commands write in working memory, as text or, when it is none, as base64.
 *
 * Working memory takes whole values. While a command writes, they lie in a file, and of all the commands of a process only
 * one is read from there at a time: memory does not grow with their number.
 */
export class MemoryOutputs {
  readonly #options: MemoryOutputsOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: MemoryOutputsOptions) {
    this.#options = options;
  }

  /** The store of one job. */
  storeFor(job: OwnerJob): OutputStore {
    return {
      keep: async (name, chunks) => {
        const folder = await mkdtemp(join(tmpdir(), 'skillyard-output-'));
        try {
          const file = fileOutputStore({ folder, path: 'output', maxBytes: this.#options.maxBytes });
          const { ref, bytes, kept } = await file.keep(name, chunks);
          const read = async () =>
            valueOf(await readFile(join(folder, ref)), kept < bytes, this.#options.redact);
          return await this.#inTurn(async () => this.#put(job, `${job.id}.${name}`, await read(), bytes));
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    };
  }

  async #put({ turnId }: OwnerJob, key: string, value: Kept, written: number): Promise<OutputRef> {
    const { memory } = this.#options;
    try {
      return refOf(await memory.put(turnId, key, value.text), value, written);
    } catch (error) {
      if (!SkillyardError.is(error, 'MEMORY_FULL')) throw error;
      // The command was run, and its result is worth more than the whole of what it wrote.
      return refOf(await memory.put(turnId, key, ''), NOTHING, written);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

const NOTHING: Kept = { text: '', encoding: 'raw', bytes: new Uint8Array() };

function refOf(ref: string, { encoding, bytes }: Kept, written: number): OutputRef {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ref, encoding, bytes: written, kept: bytes.length, sha256 };
}

function valueOf(bytes: Buffer, isCut: boolean, redact: Redact): Kept {
  const whole = isCut ? wholeCharacters(bytes) : bytes;
  if (isUtf8(whole)) {
    const text = redact(whole.toString('utf8'));
    return { text, encoding: 'raw', bytes: Buffer.from(text, 'utf8') };
  }
  // A secret is found between any other bytes, too.
  const clean = Buffer.from(redact(bytes.toString('latin1')), 'latin1');
  return { text: clean.toString('base64'), encoding: 'base64', bytes: clean };
}

const LONGEST_PART_OF_CHARACTER = 3;

/** A text without the character that was cut in two at its end; what is no text is left as it is. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let cut = 1; cut <= LONGEST_PART_OF_CHARACTER; cut++) {
    const shorter = bytes.subarray(0, bytes.length - cut);
    if (!isUtf8(bytes) && isUtf8(shorter)) return shorter;
  }
  return bytes;
}
