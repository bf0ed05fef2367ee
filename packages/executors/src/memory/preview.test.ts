import { type JobId, turnId } from '@skillyard/contracts';
import { memHandle, trimNotes } from '@skillyard/engine';
import { describe, expect, it } from 'vitest';
import { cutToBytes, preview, sizeInWords, storeLarge } from './preview.ts';
import { handleFor, localMemory } from './working-memory.ts';

describe('cutToBytes', () => {
  it('never ends inside a character', () => {
    const text = 'aé漢😀z';
    const cuts = Array.from({ length: 13 }, (_unused, bytes) => cutToBytes(text, bytes));
    expect(cuts).toEqual([
      '',
      'a',
      'a',
      'aé',
      'aé',
      'aé',
      'aé漢',
      'aé漢',
      'aé漢',
      'aé漢',
      'aé漢😀',
      'aé漢😀z',
      'aé漢😀z',
    ]);
  });

  it('keeps a replacement character that stands in the text', () => {
    expect(cutToBytes('ab\uFFFDcd', 5)).toBe('ab\uFFFD');
    expect(cutToBytes('\uFFFD', 10)).toBe('\uFFFD');
  });
});

describe('preview', () => {
  it('is a beginning and a note that the engine reads the handle from', () => {
    const handle = handleFor('t1.3.c');
    const text = preview('x'.repeat(1500), handle, 256);
    expect(text).toBe(`${'x'.repeat(256)}…\n[mem:${handle} — 1.5 kB, read on with builtin:memory_read]`);
    expect(memHandle(text, [])).toBe(handle);
    expect(trimNotes(text, [])).toBe('x'.repeat(256));
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [52_300, '52 kB'],
    [1_500_000, '1.5 MB'],
  ])('tells the size of %i bytes as %s', (bytes, words) => {
    expect(sizeInWords(bytes)).toBe(words);
  });
});

describe('storeLarge', () => {
  const job = { id: 't1.3.c' as JobId, turnId: turnId('t1') };

  it('leaves a value up to the limit alone and stores nothing', async () => {
    const memory = localMemory();
    expect(await storeLarge(memory, job, 'é'.repeat(128), 256)).toBe('é'.repeat(128));
    expect(await memory.get(job.turnId, handleFor(job.id))).toEqual({ found: false });
  });

  it('stores a value over the limit in bytes', async () => {
    const memory = localMemory();
    const text = `${'é'.repeat(128)}z`;
    expect(await storeLarge(memory, job, text, 256)).toContain(`[mem:${handleFor(job.id)} `);
    expect(await memory.get(job.turnId, handleFor(job.id))).toEqual({ found: true, text });
  });
});
