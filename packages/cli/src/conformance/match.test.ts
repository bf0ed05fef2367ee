import { describe, expect, it } from 'vitest';
import { differences } from './match.ts';

const places = (expected: unknown, actual: unknown, unordered: string[] = []) =>
  differences(expected, actual, new Set(unordered)).map((one) => one.path);

describe('exact comparison', () => {
  it('accepts equal values whatever the order of keys', () => {
    expect(places({ a: 1, b: [{ c: null, d: 'x' }] }, { b: [{ d: 'x', c: null }], a: 1 })).toEqual([]);
  });

  it('names each place that differs', () => {
    const expected = { vars: { a: '1', b: '2' }, steps: [{ outcome: 'ok' }, { outcome: 'ok' }] };
    const actual = { vars: { a: '1', b: '3' }, steps: [{ outcome: 'ok' }, { outcome: 'error' }] };
    expect(places(expected, actual)).toEqual(['vars.b', 'steps[1].outcome']);
  });

  it('tells null from absent and a missing member from a surplus one', () => {
    expect(differences({ a: null }, {})).toEqual([{ path: 'a', expected: 'null', actual: 'nothing' }]);
    expect(differences([1], [1, 2])).toEqual([{ path: '[1]', expected: 'nothing', actual: '2' }]);
    expect(differences([1, 2], [1])).toEqual([{ path: '[1]', expected: '2', actual: 'nothing' }]);
  });

  it('does not take null, a list and an object for each other', () => {
    expect(places({ a: null, b: [], c: {} }, { a: [], b: {}, c: null })).toEqual(['a', 'b', 'c']);
  });

  it('keeps a variable named like a property of every object apart from that property', () => {
    expect(places({ constructor: 'x' }, {})).toEqual(['constructor']);
    expect(places({}, { toString: 'x' })).toEqual(['toString']);
  });

  it('leaves out the hints for wording', () => {
    const expected = { ok: false, error_mentions: ['bad'], unordered: true, mentions: [] };
    expect(places(expected, { ok: false })).toEqual([]);
    expect(places({ error: { kind: 'other', error_mentions: ['a'] } }, { error: { kind: 'other' } })).toEqual(
      [],
    );
    expect(
      places({ findings: [{ rule: 'S1', mentions: ['a'] }] }, { findings: [{ rule: 'S1' }] }, ['findings']),
    ).toEqual([]);
  });

  it('lets a finding say a step and a line that are not recorded, and no other than those recorded', () => {
    const actual = { findings: [{ rule: 'W3', step: 's', line: 4 }] };
    const of = (...findings: object[]) => places({ findings }, actual, ['findings']);
    expect(of({ rule: 'W3' })).toEqual([]);
    expect(of({ rule: 'W3', step: 's', line: 4 })).toEqual([]);
    expect(of({ rule: 'W3', line: 5 })).toHaveLength(2);
    expect(of({ rule: 'W3' }, { rule: 'W3' })).toEqual(['findings[]']);
  });

  it('compares a variable that has the name of a hint', () => {
    expect(places({ vars: { mentions: 'a' } }, { vars: { mentions: 'b' } })).toEqual(['vars.mentions']);
  });
});

describe('prefix patterns', () => {
  const pattern = { $prefix: 'ERROR:', $tokens: ['wick', 'burnt'] };

  it('accepts a text with the prefix and every token, in any order', () => {
    expect(places({ v: pattern }, { v: 'ERROR: burnt is the wick' })).toEqual([]);
  });

  it.each(['the wick burnt ERROR:', 'ERROR: wick', 7, null])('refuses %j', (actual) => {
    expect(places({ v: pattern }, { v: actual })).toEqual(['v']);
  });
});

describe('multisets', () => {
  it('compares a named list in any order, and no other', () => {
    const expected = { events: [1, 2, 2], steps: [1, 2] };
    expect(places(expected, { events: [2, 1, 2], steps: [2, 1] }, ['events'])).toEqual([
      'steps[0]',
      'steps[1]',
    ]);
  });

  it('counts how often a member stands in the list', () => {
    expect(places({ e: [1, 2, 2] }, { e: [1, 1, 2] }, ['e'])).toEqual(['e[]', 'e[]']);
  });

  it('finds the pairing even when a pattern fits the member that another needs', () => {
    const expected = { e: [{ $prefix: '', $tokens: [] }, 'a'] };
    expect(places(expected, { e: ['a', 'b'] }, ['e'])).toEqual([]);
  });

  it('reaches nested lists by their path', () => {
    const expected = { requests: { runner: ['a', 'b'] } };
    expect(places(expected, { requests: { runner: ['b', 'a'] } }, ['requests.runner'])).toEqual([]);
  });
});
