import { type JobId, type MemoryJob, turnId, type WorkingMemory } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { answerMemory } from './answer-memory.ts';
import { handleFor, localMemory } from './working-memory.ts';

const [one, two] = [turnId('one'), turnId('two')];
const ask = (memory: WorkingMemory, handle: string, at = '', notes: string[] = []) => {
  const job: MemoryJob = {
    id: 'one.m0' as JobId,
    turnId: one,
    path: '',
    step: '',
    kind: 'memory',
    handle,
    at,
    notes,
  };
  return answerMemory(memory, job);
};

describe('local working memory', () => {
  it('W1: finds nothing under the handle of another turn', async () => {
    const memory = localMemory();
    const handle = await memory.put(one, 'one.3.c', 'value');
    expect(await memory.get(one, handle)).toEqual({ found: true, text: 'value' });
    expect(await memory.get(two, handle)).toEqual({ found: false });
  });

  it('W2: gives a repeated job the same handle and replaces the value', async () => {
    const memory = localMemory();
    const first = await memory.put(one, 'one.3.c', 'old');
    expect(await memory.put(one, 'one.3.c', 'new')).toBe(first);
    expect(await memory.get(one, first)).toEqual({ found: true, text: 'new' });
  });

  it('W3: refuses with MEMORY_FULL what would be over the limit of the turn, and keeps the rest', async () => {
    const memory = localMemory({ maxBytes: 100 });
    const first = await memory.put(one, 'one.0.c', 'é'.repeat(30));
    await expect(memory.put(one, 'one.1.c', 'z'.repeat(41))).rejects.toMatchObject({
      code: 'MEMORY_FULL',
      message: expect.stringMatching(/of 41 bytes .* have 60 bytes and may have 100\..*memory\.max_bytes/),
    });
    expect(await memory.get(one, handleFor('one.1.c'))).toEqual({ found: false });
    await memory.put(one, 'one.2.c', 'z'.repeat(40));
    expect(await memory.put(one, 'one.0.c', 'y'.repeat(60))).toBe(first);
    await expect(memory.put(one, 'one.0.c', 'y'.repeat(61))).rejects.toMatchObject({ code: 'MEMORY_FULL' });
    expect(await memory.get(one, first)).toEqual({ found: true, text: 'y'.repeat(60) });
    await memory.put(two, 'two.0.c', 'z'.repeat(100));
  });

  it('forgets a turn that has ended', async () => {
    const memory = localMemory();
    const handle = await memory.put(one, 'k', 'value');
    memory.forget(one);
    expect(await memory.get(one, handle)).toEqual({ found: false });
  });

  it('has handles that differ by job and stand in a note', () => {
    const handles = Array.from({ length: 2000 }, (_unused, index) => handleFor(`one.${index}.c`));
    expect(new Set(handles).size).toBe(2000);
    for (const handle of handles) expect(handle).toMatch(/^m-[a-z0-9]{12}$/);
  });
});

describe('a memory job', () => {
  it('gives the whole value, or what lies at a path of it without its notes', async () => {
    const memory = localMemory();
    const text = '{"rows":[{"id":7},{"id":8}]}\n[cut: the rest]';
    const handle = await memory.put(one, 'k', text);
    expect(await ask(memory, handle)).toEqual({ status: 'ok', text });
    expect(await ask(memory, handle, '.rows[1].id', ['cut:'])).toEqual({ status: 'ok', text: '8' });
  });

  it('is empty when there is nothing under the handle', async () => {
    expect(await ask(localMemory(), 'm-none')).toEqual({ status: 'empty', text: '' });
  });

  it('fails with MEMORY_UNKNOWN and a note when the value has gone', async () => {
    const gone = 'the value was dropped after 24 hours';
    const memory: WorkingMemory = { put: async () => '', get: async () => ({ found: false, gone }) };
    expect(await ask(memory, 'm-old')).toMatchObject({
      status: 'error',
      error: { code: 'MEMORY_UNKNOWN', message: gone },
      note: gone,
    });
  });

  it('fails with REFERENCE_UNRESOLVED when the path leads nowhere', async () => {
    const memory = localMemory();
    const handle = await memory.put(one, 'k', '{"rows":[]}');
    expect(await ask(memory, handle, '.rows[3].id')).toMatchObject({
      status: 'error',
      error: { code: 'REFERENCE_UNRESOLVED' },
    });
    const plain = await memory.put(one, 'p', 'no JSON here');
    expect(await ask(memory, plain, '.a.b')).toMatchObject({
      error: { code: 'REFERENCE_UNRESOLVED', message: expect.stringContaining('not JSON') },
    });
  });

  it('shares values along a chain of delegations, and with nobody else', async () => {
    const memory = localMemory({ rootOf: (turn) => (turn === two ? one : turn) });
    const handle = await memory.put(one, 'one.3.c', 'whole');
    expect(await memory.get(two, handle)).toEqual({ found: true, text: 'whole' });
    expect(await memory.get(turnId('three'), handle)).toEqual({ found: false });
  });
});
