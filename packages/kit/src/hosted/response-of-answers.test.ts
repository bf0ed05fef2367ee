import type { JsonObject, Question } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { responseOfAnswers } from './response-of-answers.ts';

const object = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const text: Question = { kind: 'text', text: 'Name?' };
const confirm: Question = { kind: 'confirm', text: 'Sure?' };
const choice = (...values: string[]): Question => ({
  kind: 'choice',
  text: 'Which?',
  options: values.map((value) => ({ value, label: value })),
});

describe('the response that answers make', () => {
  it('is the one property that takes the one answer', () => {
    expect(responseOfAnswers(object({ sure: { type: 'boolean' } }), [confirm], [true])).toEqual({
      sure: true,
    });
    expect(responseOfAnswers(object({ a: { enum: ['x', 'y'] } }), [choice('x', 'y')], ['y'])).toEqual({
      a: 'y',
    });
    const optional = object({ name: { type: 'string' }, note: { type: 'string' } }, ['name']);
    expect(responseOfAnswers(optional, [text], ['Ida'])).toEqual({ name: 'Ida' });
    const list = object({ all: { type: 'array', items: { anyOf: [{ const: 'x' }, { const: 'y' }] } } });
    expect(responseOfAnswers(list, [{ ...choice('x', 'y'), multiSelect: true }], [['x']])).toEqual({
      all: ['x'],
    });
  });

  it('is the answer itself where no object is wanted, and nothing where nothing is', () => {
    expect(responseOfAnswers({ type: 'string' }, [text], ['Ida'])).toBe('Ida');
    expect(responseOfAnswers(null, [text], ['Ida'])).toEqual({});
  });

  it('is what was said of a plan', () => {
    const plan: Question = { kind: 'plan', text: 'Bake', steps: ['mix'] };
    const approved = { type: 'boolean' };
    const answer = { approved: false, modifications: 'less salt' };
    expect(responseOfAnswers(object({ approved }), [plan], [answer])).toEqual({ approved: false });
    const withChanges = object({ approved, changes: { type: 'string' } }, ['approved']);
    expect(responseOfAnswers(withChanges, [plan], [answer])).toEqual({
      approved: false,
      changes: 'less salt',
    });
    expect(responseOfAnswers(withChanges, [plan], [{ approved: true }])).toEqual({ approved: true });
    expect(
      responseOfAnswers(object({ approved, reason: { type: 'string' } }), [plan], [answer]),
    ).toBeUndefined();
  });

  it('has a property for each question of a survey that only one takes, or a list for all of them', () => {
    const questions = [choice('rye', 'oat'), choice('big', 'small')];
    const schema = object({ size: { enum: ['big', 'small'] }, flour: { enum: ['oat', 'rye'] } });
    expect(responseOfAnswers(schema, questions, ['oat', 'big'])).toEqual({ flour: 'oat', size: 'big' });
    const list = object({ answers: { type: 'array', items: { type: 'string' } } });
    expect(responseOfAnswers(list, questions, ['oat', 'big'])).toEqual({ answers: ['oat', 'big'] });
  });

  it('is left to a model when it is not plain', () => {
    const two = object({ first: { type: 'string' }, second: { type: 'string' } });
    expect(responseOfAnswers(two, [text, text], ['a', 'b'])).toBeUndefined();
    expect(responseOfAnswers(two, [text], ['a'])).toBeUndefined();
    expect(responseOfAnswers(object({ sure: { type: 'string' } }), [confirm], [true])).toBeUndefined();
    expect(responseOfAnswers(object({ a: { enum: ['x'] } }), [choice('x', 'y')], ['y'])).toBeUndefined();
    expect(responseOfAnswers({ $ref: '#/$defs/a' }, [text], ['a'])).toBeUndefined();
  });
});
