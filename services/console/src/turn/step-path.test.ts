import { describe, expect, it } from 'vitest';
import { ancestorsOf, branchOf, comparePaths, nodeOf } from './step-path.ts';

describe('paths of steps', () => {
  it('are ordered by number, and a step comes before what is inside it', () => {
    const paths = ['10', '4.i10.0', '4.i2.1', '4', '4.i2.0', '9', '4.i2'];
    expect(paths.toSorted(comparePaths)).toEqual(['4', '4.i2', '4.i2.0', '4.i2.1', '4.i10.0', '9', '10']);
  });

  it('name the steps around a step', () => {
    expect(ancestorsOf('4.i2.1.t.0')).toEqual(['4', '4.i2.1']);
    expect(ancestorsOf('3')).toEqual([]);
  });

  it('of all iterations lead to one node of the graph', () => {
    expect(nodeOf('4.i42.0.t.1')).toBe('4.i.0.t.1');
    expect(nodeOf('2')).toBe('2');
  });

  it('say in words which branch or iteration a step belongs to, counted from one', () => {
    expect(['4.i0.0', '3.b1.0', '2.t.0', '2.e.0', '5.c2.0', '5.d.0', '7'].map(branchOf)).toEqual([
      '#1',
      'branch 2',
      'then',
      'else',
      'case 3',
      'default',
      '',
    ]);
  });
});
