import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { OutputRef } from '@skillyard/contracts';
import type { OutputName, OutputStore } from './output-store.ts';

/** What a result holds of one stream, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 262_144;

/** One stream of a command, as its result has it. */
export interface Captured {
  /** The beginning, in whole characters; what is no UTF-8 is U+FFFD. */
  readonly text: string;
  /** Where all of it is, when the text is not all of it byte for byte. */
  readonly ref: OutputRef | undefined;
}

/**
 * Reads a stream to its end. In memory is never more than its beginning: the command waits while the store writes.
 * A stream that is destroyed has ended there; destroyed with an error, that is thrown.
 */
export async function captureOutput(
  name: OutputName,
  stream: Readable,
  store: OutputStore,
): Promise<Captured> {
  const chunks = chunksOf(stream);
  const first: Uint8Array[] = [];
  let held = 0;
  while (held <= MAX_TEXT_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    first.push(next.value);
    held += next.value.length;
  }
  const head = Buffer.concat(first);
  const isWhole = held <= MAX_TEXT_BYTES;
  const text = textOf(head.subarray(0, MAX_TEXT_BYTES), isWhole);
  const isText = isWhole && isUtf8(head);
  return { text, ref: isText ? undefined : await store.keep(name, joined(head, chunks)) };
}

async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    if (!isEndOfOurs(error)) throw error;
  }
}

/** How a stream ends for its reader that was destroyed without a reason. */
function isEndOfOurs(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

async function* joined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield head;
  yield* rest;
}

function textOf(head: Uint8Array, isWhole: boolean): string {
  // Not whole: a character that is cut in two at the end is left out, and no U+FFFD.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head, { stream: !isWhole });
  // U+FFFD takes more bytes than what it stands for.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_TEXT_BYTES));
  return text.slice(0, read);
}
