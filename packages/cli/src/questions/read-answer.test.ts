import type { Json, Question } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { readAnswer } from './read-answer.ts';

const options = [
  { value: 'red', label: 'Crimson' },
  { value: 'blue', label: 'Azure' },
];
const text: Question = { kind: 'text', text: 'What?' };
const choice: Question = { kind: 'choice', text: 'Which?', options };
const several: Question = { ...choice, multiSelect: true };
const confirm: Question = { kind: 'confirm', text: 'Sure?' };
const plan: Question = { kind: 'plan', text: 'So?', steps: ['pack'] };

describe('readAnswer', () => {
  it.each<[string, Question, string, Json]>([
    ['a text as it is, JSON or not', text, '{"a": 1}', '{"a": 1}'],
    ['an option by its value', choice, 'blue', 'blue'],
    ['an option by its label, in any case of letters', choice, 'AZURE', 'blue'],
    ['an option by its number', choice, '1', 'red'],
    ['several options with commas between', several, 'azure, 1', ['blue', 'red']],
    ['none of several options', several, '', []],
    ['several options as JSON', several, '["red"]', ['red']],
    ['a yes', confirm, 'Y', true],
    ['a no', confirm, 'no', false],
    ['nothing, where an answer is suggested', { ...confirm, default: false }, '', false],
    ['an approval', plan, 'approve', { approved: true }],
    ['a rejection', plan, 'no', { approved: false }],
    ['what to do differently', plan, 'drive first', { approved: false, modifications: 'drive first' }],
    [
      'an approval with a remark, as JSON',
      plan,
      '{"approved": true, "modifications": "soon"}',
      { approved: true, modifications: 'soon' },
    ],
  ])('reads %s', (_name, question, written, answer) => {
    expect(readAnswer(question, written)).toEqual(answer);
  });

  it('prefers the value of an option to its number', () => {
    const numbers: Question = { ...choice, options: [{ value: '2', label: 'Two' }, ...options] };
    expect(readAnswer(numbers, '2')).toBe('2');
  });

  it.each<[Question, string, RegExp]>([
    [choice, 'green', /"green" is none of the options; offered are "red", "blue"/],
    [choice, '3', /none of the options/],
    [several, 'red, green', /"green" is none of the options/],
    [confirm, 'perhaps', /confirmed or not/],
    [confirm, '', /confirmed or not/],
  ])('refuses what fits nothing', (question, written, says) => {
    expect(() => readAnswer(question, written)).toThrow(says);
  });
});
