import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFailureNote, memHandle, splitNotes, trimNotes } from './notes.ts';

const NOTES = ['cut:'];

describe('trimNotes', () => {
  it.each([
    ['a handle line', 'a\n[mem:h]', 'a'],
    ['a handle line that says more', 'a\n[mem:h — preview, 3 lines]', 'a'],
    ['a handle line without an id', 'a\n[mem:]', 'a'],
    ['a declared note', 'a\n[cut: 4 kB]', 'a'],
    ['stacked notes', 'a\n[mem:h]\n[cut: 1]\n[mem:i]', 'a'],
    ['blank lines among the notes', 'a\n\n[cut: 1]\n \n[mem:h]\n\n', 'a'],
    ['Windows line ends', 'a\r\n[mem:h]\r\n', 'a'],
    ['one ellipsis of what is left', 'a……\n[mem:h]', 'a…'],
    ['the white space around what is left', '\u00a0 a \n[mem:h]', 'a'],
    ['a note below a blank first line', '\n[mem:h]', ''],
  ])('cuts %s', (_, text, expected) => {
    expect(trimNotes(text, NOTES)).toBe(expected);
  });

  it.each([
    ['a note with text below it', 'a\n[mem:h]\nb'],
    ['an indented note', 'a\n  [mem:h]'],
    ["a value's only line", '[mem:h]'],
    ['a note nobody declared', 'a\n[shortened: 3]'],
    ['a bracketed line', 'a\n[b]'],
    ['a handle in other letters', 'a\n[MEM:h]'],
    ['the white space of a value without notes', '  a…  \n'],
    ['an empty value', ''],
    ['white space only', ' \n '],
  ])('leaves %s alone', (_, text) => {
    expect(trimNotes(text, NOTES)).toBe(text);
  });

  it('keeps the last line when everything above it is gone', () => {
    expect(trimNotes('[mem:a]\n[mem:b]', NOTES)).toBe('[mem:a]');
  });

  it('ignores blank declarations', () => {
    expect(trimNotes('a\n[b]', ['', ' '])).toBe('a\n[b]');
  });

  it('has nothing left to cut from its own result', () => {
    const lines = fc.constantFrom('a', ' b ', '', '[mem:h]', '  [mem:i]', '[cut: 1]', '[x]', '\u00a0');
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 8 }), (parts) => {
        const once = trimNotes(parts.join('\n'), NOTES);
        expect(trimNotes(once, NOTES)).toBe(once);
      }),
    );
  });

  it('never adds to a value', () => {
    fc.assert(fc.property(fc.string(), (text) => text.includes(trimNotes(text, NOTES))));
  });
});

describe('memHandle', () => {
  it.each([
    ['below a value', 'a\n[mem:h1]', 'h1'],
    ['with more behind the id', 'a\n[mem:h_4-2 — preview]', 'h_4-2'],
    ['on an indented line', 'a\n   [mem:h1]  ', 'h1'],
    ['on the only line', '[mem:h1]', 'h1'],
    ['above a declared note', 'a\n[mem:h1]\n[cut: 1]', 'h1'],
    ['on the lowest of several lines', 'a\n[mem:h1]\n[mem:h2]', 'h2'],
    ['above a line without an id', 'a\n[mem:h1]\n[mem:]', 'h1'],
  ])('is found %s', (_, text, expected) => {
    expect(memHandle(text, NOTES)).toBe(expected);
  });

  it.each([
    '',
    'a',
    '[mem:h1]\na',
    'a\n[mem: h1]',
    'a [mem:h1]',
    'a\n[mem:h1]\n  [cut: 1]',
    'a\n[mem:h1]\n[x]',
  ])('is not found in %j', (text) => {
    expect(memHandle(text, NOTES)).toBe('');
  });

  it('is taken off together with the notes', () => {
    expect(splitNotes('bo…\n[mem:h1]', NOTES)).toEqual({ body: 'bo', handle: 'h1' });
  });
});

describe('isFailureNote', () => {
  it('looks at the first text only, in upper case', () => {
    expect(isFailureNote(' \n ERROR: lost')).toBe(true);
    expect(isFailureNote('DENIED: no')).toBe(true);
    expect(isFailureNote('it says ERROR: lost')).toBe(false);
    expect(isFailureNote('error: lost')).toBe(false);
    expect(isFailureNote('')).toBe(false);
  });
});
