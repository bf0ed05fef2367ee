/** One change of a text: so many characters go, and others come in their place. */
export interface TextEdit {
  /** UTF-16 units from the beginning of the text. */
  readonly offset: number;
  readonly removed: number;
  readonly inserted: string;
}

/** Makes all edits, whose places are those of the text before any of them; they must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { offset, removed, inserted } of edits.toSorted((a, b) => a.offset - b.offset)) {
    result += text.slice(at, offset) + inserted;
    at = offset + removed;
  }
  return result + text.slice(at);
}

/** Where the line begins that this place is on. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/**
 * The line end that a line added at the beginning of another takes: that of the line it is put before, else that of the
 * line above, so that a file keeps its kind of line ends even where it has both.
 */
export function lineEndAt(text: string, start: number): '\n' | '\r\n' {
  const own = text.indexOf('\n', start);
  const end = own < 0 ? start - 1 : own;
  return end > 0 && text[end] === '\n' && text[end - 1] === '\r' ? '\r\n' : '\n';
}
