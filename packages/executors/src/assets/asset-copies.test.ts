import { describe, expect, it } from 'vitest';
import { localCopies } from './asset-copies.ts';

const copy = (text: string) => ({ text, fetchedAtMs: 1 });

describe('copies of this process', () => {
  it('are the last that were put', async () => {
    const copies = localCopies();
    await copies.put('a', copy('one'));
    await copies.put('a', copy('two'));
    expect(await copies.get('a')).toEqual(copy('two'));
    expect(await copies.get('b')).toBeUndefined();
  });

  it('go when there are too many, those that were not used for the longest time first', async () => {
    const copies = localCopies({ copies: 2, characters: 100 });
    await copies.put('a', copy('1'));
    await copies.put('b', copy('2'));
    await copies.get('a');
    await copies.put('c', copy('3'));
    expect(await copies.get('b')).toBeUndefined();
    expect(await copies.get('a')).toEqual(copy('1'));
  });

  it('go when they are too long together; one that is too long by itself is not kept', async () => {
    const copies = localCopies({ copies: 10, characters: 10 });
    await copies.put('a', copy('12345'));
    await copies.put('b', copy('12345'));
    await copies.put('a', copy('1234'));
    await copies.put('c', copy('12'));
    expect(await copies.get('b')).toBeUndefined();
    expect(await copies.get('a')).toEqual(copy('1234'));
    await copies.put('a', copy('x'.repeat(11)));
    expect(await copies.get('a')).toBeUndefined();
    expect(await copies.get('c')).toEqual(copy('12'));
  });
});
