import { describe, expect, it } from 'vitest';
import { placeOf } from './step-path.ts';

describe('the path of a step', () => {
  it('says which step it stands in, and in which iteration or branch of it', () => {
    expect(placeOf('4')).toEqual({ parent: null });
    expect(placeOf('3.i42.0')).toEqual({ parent: '3', iteration: 42 });
    expect(placeOf('2.b1.3.i0.7')).toEqual({ parent: '2.b1.3', iteration: 0 });
    expect(placeOf('2.b1.3')).toEqual({ parent: '2', branch: 1 });
  });

  it('leads from what a condition chose to the condition', () => {
    expect(placeOf('1.t.0')).toEqual({ parent: '1' });
    expect(placeOf('1.c2.0')).toEqual({ parent: '1' });
    expect(placeOf('1.d.5')).toEqual({ parent: '1' });
  });
});
