import { Type, type Static } from 'typebox';
import { Answers, Question } from '../code/question.ts';
import type { JobId, TurnId } from '../ids.ts';
import { Tenant } from './access.ts';

const turnId = Type.Unsafe<TurnId>(Type.String());
const jobId = Type.Unsafe<JobId>(Type.String());

/** Questions that a turn asks together and that wait for a person. They are answered together. */
export const OpenQuestion = Type.Object({
  turnId,
  jobId,
  tenant: Tenant,
  skill: Type.String({ description: 'Name of the skill that asks.' }),
  path: Type.String({ description: 'Path of the step that asks.' }),
  step: Type.String({ description: "The step's name, empty when it has none." }),
  questions: Type.Array(Question),
  askedAtMs: Type.Integer(),
  expiresAtMs: Type.Union([Type.Integer(), Type.Null()], {
    description: 'When the turn goes on without an answer; null: it waits as long as it takes.',
  }),
});
export type OpenQuestion = Static<typeof OpenQuestion>;

/** Open questions, the one that has waited longest first. */
export const QuestionPage = Type.Object({
  questions: Type.Array(OpenQuestion),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'The cursor of the next page; null after the last one.',
  }),
});
export type QuestionPage = Static<typeof QuestionPage>;

/** The open questions of one turn. */
export const QuestionList = Type.Object({ questions: Type.Array(OpenQuestion) });
export type QuestionList = Static<typeof QuestionList>;

/** What a person answers: one value for each question, in their order. */
export const AnswerBody = Type.Object({ answers: Answers }, { additionalProperties: false });
export type AnswerBody = Static<typeof AnswerBody>;

/** An answer that was taken. The turn goes on with it, whatever happens to whoever took it. */
export const AnswerReply = Type.Object({ turnId, jobId });
export type AnswerReply = Static<typeof AnswerReply>;
