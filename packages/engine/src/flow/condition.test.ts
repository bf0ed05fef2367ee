import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Condition,
  conditionReferences,
  conditionVariables,
  conditionWords,
  evaluateCondition,
  parseCondition,
} from './condition.ts';
import type { Environment, MemoryAnswer } from './environment.ts';

type Values = Record<string, string>;

function parse(text: string): Condition {
  const parsed = parseCondition(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.condition;
}

function refusal(text: string): string {
  const parsed = parseCondition(text);
  if (parsed.ok) throw new Error(`expected a refusal of ${text}`);
  return parsed.message;
}

function environment(vars: Values, memory: MemoryAnswer | undefined = { found: false }): Environment {
  return {
    vocabulary: { decisionMarkers: [], truncationNotes: [] },
    variable: (name) => vars[name],
    asset: () => '',
    memory: () => memory,
  };
}

const holds = (text: string, vars: Values = {}): boolean => evaluateCondition(parse(text), environment(vars));

describe('parseCondition', () => {
  it('says what to write instead of what it refuses', () => {
    expect(refusal('{{n}} > 5')).toMatch(/without braces.*`n > 5`/);
    expect(refusal('{{ n }} > {{ m.x }}')).toContain('`n > m.x`');
    expect(refusal('{{n}} > five fathoms')).toContain('"five fathoms" is neither');
    expect(refusal('n > {{m}}')).toContain('`n > m`');
    expect(refusal('d.rows[*].x == 1')).toContain('for_each');
    expect(refusal('a == 1 and b == 2')).toContain('an if inside the other if');
    expect(refusal('t contains bread and butter')).toContain('not joined with and');
    expect(refusal('a == 1 || a == 2')).toContain('contains a | b');
    expect(refusal('t contains " | "')).toContain('nothing to look for');
    expect(refusal('n > five fathoms')).toContain('"five fathoms" is neither');
    expect(refusal('n = 5')).toContain('`name == value`');
    expect(refusal('v IS EMPTY')).toContain('lower case');
    expect(refusal('tide == low\nwater')).toContain('one line');
    expect(refusal('t contains bus\n| tram')).toContain('one line');
    expect(refusal('n >')).toContain('nothing on its right side');
    expect(refusal('sometimes')).toContain('`name is empty`');
    expect(refusal('')).toContain('name of a variable');
  });

  it('refuses a conjunction wherever it stands with blanks around it, and only then', () => {
    for (const word of ['&&', '||', 'and', 'or', 'AND', 'OR']) {
      expect(parseCondition(`a == "x ${word} y"`).ok).toBe(false);
      expect(parseCondition(`a == x${word}y`).ok).toBe(true);
      expect(parseCondition(`a == x ${word}`).ok).toBe(true);
    }
  });

  it('never throws, whatever it is given', () => {
    const pieces = fc.constantFrom(
      'a',
      'is',
      'not',
      'empty',
      'contains',
      '==',
      '>',
      '{{',
      '}}',
      '[*',
      '|',
      '"',
      ' ',
      '\n',
      ' and ',
      '5',
      '\u00a0',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 10 }), (parts) => {
        const parsed = parseCondition(parts.join(''));
        expect(parsed.ok || parsed.message.length > 0).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('quotes a long condition cut short', () => {
    expect(refusal(`n > ${'word '.repeat(200)}`).length).toBeLessThan(400);
  });
});

describe('evaluateCondition', () => {
  it('compares with text, quotes at its ends taken off in any mix', () => {
    expect(holds(`v == 'low"`, { v: ' low\n' })).toBe(true);
    expect(holds('v == Low', { v: 'low' })).toBe(false);
    expect(holds('v == 5.0', { v: '5' })).toBe(false);
    expect(holds('v == b', { v: 'x', b: 'x' })).toBe(false);
    expect(holds('v != low')).toBe(true);
    expect(holds('v ==')).toBe(true);
  });

  it('takes a blank value and a failure note for empty', () => {
    expect(holds('v is empty', { v: '\u3000' })).toBe(true);
    expect(holds('v is empty', { v: ' DENIED: no' })).toBe(true);
    expect(holds('v is not empty', { v: '[]' })).toBe(true);
    expect(holds('v\tis\n not  empty', { v: '' })).toBe(false);
  });

  it('looks for each alternative where a word starts', () => {
    expect(holds(`t contains 'bus stop'|tram |`, { t: 'two TRAMS' })).toBe(true);
    expect(holds('t not contains bus', { t: 'minibus' })).toBe(true);
    expect(holds('t contains"bus"', { t: 'bus' })).toBe(true);
  });

  it('compares numbers with a number or with another variable', () => {
    expect(holds('n>5', { n: ' 6 ' })).toBe(true);
    expect(holds('n >= lim.max', { n: '7', lim: '{"max": 7.0}' })).toBe(true);
    expect(holds('n < 9007199254740993', { n: '9007199254740992' })).toBe(true);
    expect(holds('n <= .5', { n: '5e-1' })).toBe(true);
  });

  it('fails with CONDITION_FAILED when a side is no number, and says which', () => {
    expect(() => holds('n > 5', { n: 'many' })).toThrow('n is "many", which is not a number');
    expect(() => holds('n > 5')).toThrow('n is empty, which is not a number');
    expect(() => holds('n > limit', { n: '5', limit: 'ERROR: gone' })).toThrow('limit is "ERROR: gone"');
    expect(() => holds('n > 5', { n: 'word '.repeat(100) })).toThrow(/…"/);
  });

  it('fails with REFERENCE_UNRESOLVED when a path leads nowhere', () => {
    expect(() => holds('d.a.b is empty', { d: '{}' })).toThrow('d.a.b does not resolve');
    expect(holds('d.a is empty', { d: '{}' })).toBe(true);
  });

  it('reads whole values without notes', () => {
    const env = environment({ t: 'first…\n[mem:h]' }, { found: true, text: 'first second third\n[mem:h]' });
    expect(evaluateCondition(parse('t contains third'), env)).toBe(true);
    expect(holds('t == low', { t: 'low\n[mem:h]' })).toBe(true);
  });

  it('does not fail over a value that is not there yet, and reads both sides before it stops', () => {
    const asked: string[] = [];
    const env: Environment = {
      ...environment({ n: '1\n[mem:a]', m: '2\n[mem:b]' }),
      memory: (handle) => {
        asked.push(handle);
        return undefined;
      },
    };
    expect(evaluateCondition(parse('n > m'), env)).toBe(false);
    expect(asked).toEqual(['a', 'b']);
  });
});

describe('what a condition depends on', () => {
  it('is its left side, and a reference on the right of a numeric comparison', () => {
    expect(conditionVariables(parse('d.rows[0].k != x'))).toEqual(['d.rows[0].k']);
    expect(conditionVariables(parse('n >= lim.max'))).toEqual(['n', 'lim.max']);
    expect(conditionReferences(parse('n > 5')).map(({ base }) => base)).toEqual(['n']);
  });

  it('includes the alternatives of contains and of no other form', () => {
    expect(conditionWords(parse(`t not contains ' bus stop '|tram | `))).toEqual(['bus stop', 'tram']);
    expect(conditionWords(parse('t == contains'))).toBeUndefined();
  });
});
