import type { StepJob, WorkingMemory } from '@skillyard/contracts';

/** How much of a value a variable holds when the configuration does not say. */
export const DEFAULT_PREVIEW_BYTES = 4096;

const MARKS_CONTINUATION_BYTE = 0b1000_0000;
const TOP_TWO_BITS = 0b1100_0000;

/** The beginning of a text, at most so many bytes of UTF-8, never ending inside a character. */
export function cutToBytes(text: string, maxBytes: number): string {
  // A code unit is at least one byte, so no more of them than bytes can be needed.
  const bytes = Buffer.from(text.slice(0, maxBytes), 'utf8');
  if (bytes.length <= maxBytes && text.length <= maxBytes) return text;
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & TOP_TWO_BITS) === MARKS_CONTINUATION_BYTE)
    end--;
  const cut = bytes.toString('utf8', 0, end);
  // The slice above may have parted a pair of surrogates, which the encoder turned into U+FFFD.
  return cut.endsWith('\uFFFD') && !text.startsWith(cut) ? cut.slice(0, -1) : cut;
}

/** A size as people read it: `812 B`, `64 kB`, `1.5 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * What a variable holds in place of a large value: its beginning, and a closing note with the handle.
 * The note is a line of its own that begins with `[mem:`; the engine cuts it where the whole value is not wanted.
 */
export function preview(text: string, handle: string, previewBytes: number): string {
  const size = sizeInWords(Buffer.byteLength(text, 'utf8'));
  return `${cutToBytes(text, previewBytes)}…\n[mem:${handle} — ${size}, read on with builtin:memory_read]`;
}

/**
 * The text a step stores for a result: itself when it is small, else a preview whose whole goes to working memory.
 */
export async function storeLarge(
  memory: WorkingMemory,
  job: Pick<StepJob, 'id' | 'turnId'>,
  text: string,
  previewBytes: number,
): Promise<string> {
  // Three bytes a code unit at most: most results need no count.
  if (text.length * 3 <= previewBytes || Buffer.byteLength(text, 'utf8') <= previewBytes) return text;
  return preview(text, await memory.put(job.turnId, job.id, text), previewBytes);
}
