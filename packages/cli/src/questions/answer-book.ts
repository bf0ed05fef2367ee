import { type AskJob, type Json, SkillyardError } from '@skillyard/contracts';
import { checkAnswers } from '@skillyard/engine';
import { isRecord } from '../is-record.ts';
import { readInput } from '../skill/read-vars.ts';
import type { Surroundings } from '../surroundings.ts';
import { readAnswer } from './read-answer.ts';

/** Answers that are known before they are asked for: by the name of a step, or by its path when it is asked several times. */
export type AnswerBook = Readonly<Record<string, Json>>;

/**
 * Reads the file of `--answers`: an object of JSON.
 * @param file `-` for standard input
 * @throws SkillyardError INPUT_INVALID, FILE_UNREADABLE
 */
export async function readAnswerBook(file: string, surroundings: Surroundings): Promise<AnswerBook> {
  const text = await readInput(file, surroundings);
  let book: unknown;
  try {
    book = JSON.parse(text);
  } catch (cause) {
    throw new SkillyardError('INPUT_INVALID', `--answers ${file} is not JSON: ${String(cause)}`, { cause });
  }
  if (isRecord(book)) return book as AnswerBook;
  const message = `--answers ${file} is no object; write {"<name of the step>": "<answer>"}`;
  throw new SkillyardError('INPUT_INVALID', message);
}

/**
 * The answers that a book has for a job; undefined when it has none. One question is answered by its value, several by a
 * list of theirs.
 * @throws SkillyardError ANSWER_INVALID
 */
export function answersFrom(book: AnswerBook, { path, step, questions }: AskJob): Json[] | undefined {
  const name = [path, step].find((one) => Object.hasOwn(book, one));
  if (name === undefined) return undefined;
  const written = book[name] ?? null;
  const values = questions.length === 1 ? [written] : Array.isArray(written) ? written : [written];
  const answers = values.map((value, index) => {
    const question = questions[index];
    // As a person would write it, where it is not the value itself.
    if (typeof value !== 'string' || question === undefined) return value;
    return readAnswer(question, value);
  });
  const wrong = checkAnswers(questions, answers);
  if (wrong === null) return answers;
  throw new SkillyardError('ANSWER_INVALID', `--answers, step "${name}": ${wrong}`);
}
