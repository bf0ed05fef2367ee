import { describe, expect, it } from 'vitest';
import { AnswerOrder } from './answer-order.ts';

describe('AnswerOrder', () => {
  it('gives entries in order, list by list, and repeats the last', () => {
    const order = new AnswerOrder();
    const taken = ['a', 'b', 'c'].map((job) => order.entry('say', 2, job));
    expect(taken).toEqual([0, 1, 1]);
    expect(order.entry('other', 2, 'd')).toBe(0);
  });

  it('gives each job of a later run what it got in the sequential one, in whatever order it asks', () => {
    const sequential = new AnswerOrder();
    for (const job of ['i0', 'i1', 'i2']) sequential.entry('say', 3, job);
    const later = new AnswerOrder(sequential);
    expect(['i2', 'i0', 'i1'].map((job) => later.entry('say', 3, job))).toEqual([2, 0, 1]);
  });

  it('gives the last entry to a job the sequential run did not ask for', () => {
    const sequential = new AnswerOrder();
    sequential.entry('say', 3, 'i0');
    expect(new AnswerOrder(sequential).entry('say', 3, 'early')).toBe(2);
  });
});
