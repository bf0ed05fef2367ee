import type { Answers, JobId, Json, Question } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { answerResult, checkAnswers } from './answers.ts';

const text: Question = { kind: 'text', text: 'What is it called?' };
const options = [
  { value: 'red', label: 'Red' },
  { value: 'blue', label: 'Blue' },
];
const choice: Question = { kind: 'choice', text: 'Which colour?', options };
const several: Question = { ...choice, multiSelect: true };
const confirm: Question = { kind: 'confirm', text: 'Delete it?', destructive: true };
const plan: Question = { kind: 'plan', text: 'Move house', steps: ['pack', 'drive'] };

const DEEP = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as Json;

describe('checkAnswers', () => {
  it.each<[string, Question, Answers]>([
    ['a text', text, ['the mill']],
    ['an empty text', text, ['']],
    ['one of the options', choice, ['red']],
    ['several of the options', several, [['blue', 'red']]],
    ['none of several options', several, [[]]],
    ['a yes', confirm, [true]],
    ['a plan as it is', plan, [{ approved: true }]],
    ['a plan with changes', plan, [{ approved: false, modifications: 'drive first' }]],
  ])('lets %s through', (_name, question, answers) => {
    expect(checkAnswers([question], answers)).toBeNull();
  });

  it.each<[string, Question, Answers, RegExp]>([
    ['a number for a text', text, [3], /give a string/],
    ['a text that is too long', text, ['x'.repeat(70_000)], /70000 characters; 65536 are let through/],
    ['what is no option', choice, ['green'], /"green" is none of the options; offered are "red", "blue"/],
    ['a label in the place of a value', choice, ['Red'], /none of the options/],
    ['a list where one is chosen', choice, [['red']], /one of the options is chosen/],
    ['one value where several may be chosen', several, ['red'], /give a list of their values/],
    ['an option twice', several, [['red', 'red']], /chosen twice/],
    ['what is deeper than can be written', several, [[DEEP]], /^a list is none of the options/],
    ['a word for a confirmation', confirm, ['yes'], /give true or false/],
    ['a yes for a plan', plan, [true], /the answer to a plan is/],
    ['a plan with more than there is', plan, [{ approved: true, by: 'me' }], /the answer to a plan is/],
    ['nothing at all', confirm, [], /1 question is asked, and 0 answers are given/],
    ['one answer too many', confirm, [true, true], /1 question is asked, and 2 answers are given/],
  ])('refuses %s and says what fits', (_name, question, answers, says) => {
    expect(checkAnswers([question], answers)).toMatch(says);
  });

  it('says which of several answers is wrong', () => {
    expect(checkAnswers([text, confirm], ['a', 'b'])).toBe(
      'answer 2: it is confirmed or not; give true or false',
    );
  });
});

describe('answerResult', () => {
  const job = { id: 't.0.q' as JobId };

  it.each<[Answers, string]>([
    [['blue'], 'blue'],
    [[true], 'yes'],
    [[false], 'no'],
    [[['red', 'blue']], '["red","blue"]'],
    [[{ approved: true }], '{"approved":true}'],
    [['blue', true], '["blue",true]'],
  ])('stores %j as %s', (answers, stored) => {
    expect(answerResult(job, answers)).toEqual({ jobId: job.id, status: 'ok', text: stored, value: answers });
  });
});
