import { describe, expect, it } from 'vitest';
import { fieldMentions } from './field-mentions.ts';

const of = (text: string, ...names: string[]) => Object.fromEntries(fieldMentions(text, new Set(names)));

describe('fieldMentions', () => {
  it.each([
    ['bus: the line', ' the line'],
    ['- `bus`: the line', ' the line'],
    ['  1. **bus** — the line', ' the line'],
    ['> * "bus" (text, short): the line', ' the line'],
    ['bus - the line', 'the line'],
    ['bus = the line', ' the line'],
  ])('finds what a line introduces: %s', (text, said) => {
    expect(of(text, 'bus')).toEqual({ bus: said });
  });

  it.each(['Use bus: the line', 'bus', 'busses: the line', 'bus-stop: the line', '**Bus**: the line'])(
    'finds nothing in a line that introduces another thing or none: %s',
    (text) => {
      expect(of(text, 'bus')).toEqual({});
    },
  );

  it('goes on to the next field or a blank line', () => {
    const text = 'bus: the line,\n  or nothing\nstop: its name\n\nMay be blank.\nbus: again\nblank';
    expect(of(text, 'bus', 'stop')).toEqual({ bus: ' the line,\n  or nothing', stop: ' its name' });
  });
});
