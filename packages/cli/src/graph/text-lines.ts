import type { FlowNode } from '@skillyard/contracts';

/** One line of the text of a node. */
export interface TextLine {
  readonly text: string;
  /** `name` is set in bold, `note` in grey. */
  readonly style: 'name' | 'plain' | 'note';
}

/** Code points of a line; what is longer is in the tooltip. */
const LONGEST_LINE = 46;

/** What stands in the box of a node. */
export function textLines({ kind, label, text, when, notes }: FlowNode): TextLine[] {
  const isMarker = kind === 'start' || kind === 'end' || kind === 'branch';
  const word = kind.replace('_', ' ');
  const what = isMarker || label === word ? text : text === '' ? word : `${word}: ${text}`;
  const lines: TextLine[] = [
    { text: label, style: 'name' },
    { text: what, style: 'plain' },
    { text: when === '' ? '' : `when ${when}`, style: 'plain' },
    ...notes.map((note) => ({ text: note, style: 'note' }) as const),
  ];
  return lines.filter((line) => line.text !== '').map((line) => ({ ...line, text: clipLine(line.text) }));
}

/** A text cut to what goes on one line. */
export function clipLine(text: string): string {
  const characters = Array.from(text);
  return characters.length <= LONGEST_LINE ? text : `${characters.slice(0, LONGEST_LINE - 1).join('')}…`;
}

// Chinese, Japanese and Korean letters and emoji, as far as one has to know to leave room for them.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\p{Extended_Pictographic}]/u;
const BROAD = /[A-Zmw0-9@%]|\p{Lu}/u;
const NARROW = /[iljtf.,:;'|!() ]/;

/** About as wide as a line is in a sans-serif face of 12 pixels, rather more than less. */
export function widthOf({ text, style }: TextLine): number {
  let width = 0;
  for (const character of text) {
    if (WIDE.test(character)) width += 13;
    else if (BROAD.test(character)) width += 8.6;
    else width += NARROW.test(character) ? 4.4 : 7.2;
  }
  return Math.ceil(width * (style === 'name' ? 1.08 : 1));
}
