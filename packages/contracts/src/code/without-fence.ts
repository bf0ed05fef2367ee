/**
 * The text in the code fence that a model put its answer into, whatever it was told; without one the text itself. White
 * space around it is dropped: the text is read as JSON.
 */
export function withoutFence(text: string): string {
  const trimmed = text.trim();
  const opening = /^```(?:json)?[^\S\n]*\n/.exec(trimmed)?.[0].length ?? 0;
  const isFenced = opening > 0 && trimmed.endsWith(FENCE) && trimmed.length >= opening + FENCE.length;
  return isFenced ? trimmed.slice(opening, -FENCE.length).trim() : trimmed;
}

const FENCE = '```';
