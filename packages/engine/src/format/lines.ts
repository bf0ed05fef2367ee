import type { Position } from '@skillyard/contracts';

/** Turns offsets into lines and columns, both counted from 1; columns in UTF-16 units, as editors count them. */
export class Lines {
  readonly #text: string;
  /** Where each line begins; found when first asked for, since a text may be refused for its size. */
  #starts: number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  positionAt(offset: number): Position {
    if (offset === 0) return { line: 1, column: 1 };
    const starts = (this.#starts ??= lineStarts(this.#text));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
