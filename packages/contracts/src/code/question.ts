import { Type, type Static } from 'typebox';
import { Json } from '../json.ts';

/** One of the answers a question offers. */
export const QuestionOption = Type.Object({
  value: Type.String({ description: 'What the answer is, and what is stored.' }),
  label: Type.String(),
  description: Type.Optional(Type.String()),
  preview: Type.Optional(Type.String()),
});
export type QuestionOption = Static<typeof QuestionOption>;

/**
 * One question to a person, and so the form that is shown for it.
 *
 * - `text`: anything may be answered. The answer is a string.
 * - `choice`: one of the options by its value; with `multiSelect` a list of them.
 * - `confirm`: yes or no. The answer is a boolean.
 * - `plan`: a plan to approve. The answer is `{approved, modifications?}`.
 */
export const Question = Type.Object({
  kind: Type.Enum(['text', 'choice', 'confirm', 'plan']),
  text: Type.String({ description: 'The question; of a plan its summary.' }),
  header: Type.Optional(Type.String()),
  options: Type.Optional(Type.Array(QuestionOption)),
  multiSelect: Type.Optional(Type.Boolean()),
  destructive: Type.Optional(Type.Boolean({ description: 'confirm: what is confirmed cannot be undone.' })),
  default: Type.Optional(Type.Boolean({ description: 'confirm: the answer that is suggested.' })),
  steps: Type.Optional(Type.Array(Type.String(), { description: 'plan: what would be done, in order.' })),
});
export type Question = Static<typeof Question>;

/** What a person answered: one value for each question, in their order. */
export const Answers = Type.Array(Json);
export type Answers = Static<typeof Answers>;
