import { describe, expect, it } from 'vitest';
import { namesHint, nearNames } from './near-names.ts';

describe('nearNames', () => {
  it.each([
    ['ehco', ['echo', 'order'], ['echo']],
    ['Echo', ['echo', 'ECHO2'], ['echo', 'ECHO2']],
    ['add', ['add_item', 'remove'], ['add_item']],
    ['zzz', ['echo', 'order'], []],
    ['', [], []],
  ])('of %j among %j are %j', (name, known, near) => {
    expect(nearNames(name, known)).toEqual(near);
  });
});

describe('namesHint', () => {
  it('lists what there is, and not all of it when it is much', () => {
    expect(namesHint('x', [], 'tools')).toBe('There are no tools.');
    expect(namesHint('orde', ['order', 'echo'], 'tools')).toBe(
      'Did you mean order? The tools are: order, echo.',
    );
    const many = Array.from({ length: 20 }, (_unused, index) => `tool-${index}`);
    expect(namesHint('zebra-crossing', many, 'tools')).toMatch(/tool-11 and 8 more\.$/);
  });
});
