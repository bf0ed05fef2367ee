import { unavailable } from './asset-failure.ts';
import type { SkillyardError } from '@skillyard/contracts';

/** An asset goes into prompts, arguments and the state of the turn; a larger one is most likely a mistake. */
export const DEFAULT_MAX_BYTES = 1024 * 1024;

/**
 * Reads text up to a limit; what lies beyond it is not read, however large it claims to be.
 * @param what begins the message: `The file of asset "rules" (rules.md)`
 * @throws SkillyardError ASSET_UNAVAILABLE when there is more, or when it is not UTF-8
 */
export async function readBoundedText(
  what: string,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(what, `more than ${maxBytes} bytes`, maxBytes);
    parts.push(chunk);
  }
  return decodeText(what, Buffer.concat(parts));
}

/** UTF-8 and nothing else: a guess at another encoding would put wrong letters into prompts without a word. */
export function decodeText(what: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unavailable(`${what} is not UTF-8 text. Save it as UTF-8.`, { cause: error });
  }
}

/** @param size how large it is, in words */
export function tooLarge(what: string, size: string, maxBytes: number): SkillyardError {
  return unavailable(
    `${what} has ${size}; the limit is ${maxBytes}. Pass large data by a tool call instead, or raise assets.max_bytes.`,
  );
}
