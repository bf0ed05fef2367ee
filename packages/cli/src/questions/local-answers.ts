import {
  type Answers,
  type AskJob,
  type Question,
  SkillyardError,
  type StepResult,
} from '@skillyard/contracts';
import { answerResult } from '@skillyard/engine';
import type { JobContext } from '@skillyard/runtime';
import type { Person } from '../surroundings.ts';
import type { Progress } from '../terminal/progress.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';
import { type AnswerBook, answersFrom } from './answer-book.ts';
import { promptOf, questionLines } from './question-lines.ts';
import { readAnswer } from './read-answer.ts';

/** Answers the questions of turns that run in this process. */
export type AnswerQuestions = (job: AskJob, context: JobContext) => Promise<StepResult>;

export interface LocalAnswersParts {
  /** What is known already. */
  readonly book: AnswerBook;
  /** Who is asked otherwise; null when nobody is there. */
  readonly person: Person | null;
  readonly terminal: Terminal;
  /** Stands still while somebody writes. */
  readonly progress: Pick<Progress, 'pause' | 'resume'>;
}

/** Takes answers from a book and asks the person at the terminal for the others, one question after the other. */
export function localAnswers({ book, person, terminal, progress }: LocalAnswersParts): AnswerQuestions {
  /** Ends when nobody is being asked. */
  let asking: Promise<unknown> = Promise.resolve();

  const askPerson = async (job: AskJob, signal: AbortSignal): Promise<Answers> => {
    if (person === null) throw unanswered(job, terminal.json ? 'with --json' : 'without a terminal');
    progress.pause();
    try {
      terminal.err(terminal.colors.bold(`${labelOf(job)} asks`));
      const answers: Answers = [];
      for (const question of job.questions)
        answers.push(await askOne({ person, terminal, job, signal }, question));
      return answers;
    } finally {
      progress.resume();
    }
  };

  return async (job, { signal }) => {
    try {
      const known = answersFrom(book, job);
      if (known !== undefined) return answerResult(job, known);
      const asked = asking.then(() => askPerson(job, signal));
      asking = asked.catch(() => undefined);
      return answerResult(job, await asked);
    } catch (error) {
      if (!SkillyardError.is(error)) throw error;
      const { code, message } = error;
      return { jobId: job.id, status: 'error', text: '', error: { code, message } };
    }
  };
}

interface Asking {
  readonly person: Person;
  readonly terminal: Terminal;
  readonly job: AskJob;
  readonly signal: AbortSignal;
}

/** Asks until the answer fits. */
async function askOne(
  { person, terminal, job, signal }: Asking,
  question: Question,
): Promise<Answers[number]> {
  for (const line of questionLines(question, terminal)) terminal.err(line);
  for (;;) {
    const text = await person.ask(promptOf(question), signal);
    if (text === null) throw unanswered(job, 'whose input has ended');
    try {
      return readAnswer(question, text);
    } catch (error) {
      if (!SkillyardError.is(error, 'ANSWER_INVALID')) throw error;
      terminal.err(terminal.colors.yellow(error.message));
    }
  }
}

function unanswered(job: AskJob, where: string): SkillyardError {
  const name = job.step === '' ? job.path : job.step;
  const message = `nobody is there to answer in a run ${where}; run it on a terminal, or give the answer: --answers <file.json> with {${JSON.stringify(name)}: ${exampleFor(job.questions)}}`;
  return new SkillyardError('QUESTION_UNANSWERED', message, { details: { step: name } });
}

/** What an answer looks like, as JSON. */
function exampleFor([first, ...others]: readonly Question[]): string {
  if (others.length > 0) return '[...]';
  if (first?.kind === 'confirm') return 'true';
  if (first?.kind === 'plan') return '{"approved": true}';
  return first?.multiSelect === true ? '["..."]' : '"..."';
}

function labelOf({ step, path }: AskJob): string {
  return step === '' ? `step ${path}` : `step "${oneLine(step, 100)}"`;
}
