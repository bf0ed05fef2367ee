import { describe, expect, it } from 'vitest';
import { splitToolRef } from './tool-ref.ts';

describe('splitToolRef', () => {
  it('splits at the first colon and trims both parts', () => {
    expect(splitToolRef(' depot : wash:now ')).toEqual({ server: 'depot', tool: 'wash:now' });
    expect(splitToolRef(':')).toEqual({ server: '', tool: '' });
  });

  it('has nothing to split without a colon', () => {
    expect(splitToolRef('wash')).toBeUndefined();
    expect(splitToolRef('')).toBeUndefined();
  });
});
