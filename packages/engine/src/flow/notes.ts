/**
 * The remarks a host writes below a value: `[mem:id]` lines and its own truncation notes (spec section 6).
 *
 * N1 A note starts its line and has a line above it. Notes may be stacked, with blank lines between them.
 * N2 Only what stands at the very end is a note; a note-like line with text below it is text.
 * N3 A handle may also be read from an indented line or from a value's only line, which are never cut.
 */
import { isSpace, spaceEnd, trimSpace } from './white-space.ts';

/** A value taken apart: what a data consumer reads, and where the whole of it is kept. */
export interface SplitValue {
  /** The text without its closing notes; the text as it is when it has none. */
  readonly body: string;
  /** The id of the lowest `[mem:` line among the notes, empty when there is none. */
  readonly handle: string;
}

const HANDLE = '[mem:';

/**
 * Takes the closing notes off a value (spec section 6).
 * @param notes how the host starts its own notes, without the bracket; blank ones are ignored
 */
export function splitNotes(text: string, notes: readonly string[]): SplitValue {
  let cut = text.length;
  let handle = '';
  for (;;) {
    let end = cut;
    while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
    if (end === 0) break;
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const first = spaceEnd(text, start);
    const holdsHandle = text.startsWith(HANDLE, first);
    if (!holdsHandle && !isDeclaredNote(text, first, notes)) break;
    if (holdsHandle && handle === '') handle = readId(text, first + HANDLE.length);
    if (first > start || start === 0) break;
    cut = start - 1;
  }
  if (cut === text.length) return { body: text, handle };
  const body = trimSpace(text.slice(0, cut));
  return { body: body.endsWith('…') ? body.slice(0, -1) : body, handle };
}

/** A value without its closing notes. */
export function trimNotes(text: string, notes: readonly string[]): string {
  return splitNotes(text, notes).body;
}

/** The working-memory handle among the closing notes of a value, empty when there is none. */
export function memHandle(text: string, notes: readonly string[]): string {
  return splitNotes(text, notes).handle;
}

/** Whether a value is what a tolerated failure leaves behind, whoever wrote it (spec section 5). */
export function isFailureNote(text: string): boolean {
  const start = spaceEnd(text, 0);
  return text.startsWith('ERROR:', start) || text.startsWith('DENIED:', start);
}

function isDeclaredNote(text: string, at: number, notes: readonly string[]): boolean {
  if (text.charCodeAt(at) !== 0x5b) return false;
  return notes.some((note) => spaceEnd(note, 0) < note.length && text.startsWith(note, at + 1));
}

/** An id is a run of ASCII letters, digits, `_` and `-`; a host may say more behind it on the same line. */
function readId(text: string, from: number): string {
  let end = from;
  while (isIdCode(text.charCodeAt(end))) end++;
  return text.slice(from, end);
}

function isIdCode(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d;
}
