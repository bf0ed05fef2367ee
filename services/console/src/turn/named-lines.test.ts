import { describe, expect, it } from 'vitest';
import { namedLines } from './named-lines.ts';

describe('namedLines', () => {
  it('reads names and values, and keeps what stands behind the first equals sign', () => {
    expect(namedLines('city = Ulm\n\nquery=a=b\nempty=')).toEqual({
      values: { city: 'Ulm', query: 'a=b', empty: '' },
      wrong: [],
    });
  });

  it('says which lines have no name', () => {
    expect(namedLines('=x\ncity')).toEqual({ values: {}, wrong: ['=x', 'city'] });
  });
});
