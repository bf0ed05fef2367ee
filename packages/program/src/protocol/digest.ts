import { createHash } from 'node:crypto';
import type { RequestText } from './program-output.ts';

/** `sha256:` and the lower-case hex of the SHA-256 of bytes, or of the UTF-8 of a text. */
export function textDigest(text: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * What tells one operation from another. Texts are taken as they are: they must be compact, and no schema is the empty text.
 */
export function requestDigest(parts: Pick<RequestText, 'kind' | 'id' | 'payload' | 'outputSchema'>): string {
  return textDigest(`${parts.kind}\0${parts.id}\0${parts.payload}\0${parts.outputSchema ?? ''}`);
}
