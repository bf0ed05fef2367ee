import { type JobId, type Json, type OpenQuestion, SkillyardError, type TurnId } from '@skillyard/contracts';
import type { Command } from 'commander';
import { readAnswer } from '../questions/read-answer.ts';
import { readTurnId } from '../queue/read-id.ts';
import type { RunningSystem } from '../system/running-system.ts';
import { addReachOptions, type ReachOptions, withSystem } from '../system/with-system.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { oneLine } from '../terminal/terminal.ts';
import type { Attach } from './context.ts';

/** `skillyard answer`: answers a question, so that its turn goes on. */
export function addAnswer(program: Command, attach: Attach): void {
  const command = program
    .command('answer')
    .summary('answer a question that a turn waits with')
    .description(
      'Answers a question of a turn, which goes on with it: an option by its value, label or number (several with commas between), yes or no, or a text. Questions that are asked together are answered one word each, in their order.',
    )
    .argument('<turn-id>', 'as `submit` or `questions` printed it')
    .argument('<answer...>', 'the answer; before it the id of the question, where the turn has several open');
  attach<ReachOptions>(addReachOptions(command), async (context, [text = '', ...words], options) => {
    const { terminal } = context;
    const turnId = readTurnId(text);
    const jobId = await withSystem(context, options, (system) => answerOne(system, turnId, words));
    if (terminal.json) terminal.document({ turnId, jobId });
    else terminal.err(`answered; turn ${turnId} goes on`);
    return EXIT.completed;
  });
}

/** @returns the id of the question that was answered */
async function answerOne(system: RunningSystem, turnId: TurnId, words: readonly string[]): Promise<JobId> {
  const isNamed = words.length > 1 && words[0]?.startsWith(`${turnId}.`) === true;
  const named = isNamed ? (words[0] as JobId) : null;
  const written = isNamed ? words.slice(1) : words;
  const { questions: open } = await system.questionsOf(turnId);
  const question = named === null ? onlyOne(open, turnId) : open.find(({ jobId }) => jobId === named);
  // The system knows better than the list why a question that is not open cannot be answered.
  if (question === undefined) {
    const jobId = named as JobId;
    await system.answer(turnId, jobId, [...written]);
    return jobId;
  }
  await system.answer(turnId, question.jobId, answersOf(question, written));
  return question.jobId;
}

/** @throws SkillyardError QUESTION_NOT_FOUND, INPUT_INVALID */
function onlyOne(open: readonly OpenQuestion[], turnId: TurnId): OpenQuestion {
  const [first] = open;
  if (first === undefined) {
    const message = `turn ${turnId} has no open question; to see what it waits for: skillyard why ${turnId}`;
    throw new SkillyardError('QUESTION_NOT_FOUND', message, { details: { turnId } });
  }
  if (open.length === 1) return first;
  const ids = open.map(({ jobId, step, path }) => `${jobId} (${oneLine(step || path, 60)})`).join(', ');
  const message = `turn ${turnId} has ${open.length} open questions; say which before the answer: ${ids}`;
  throw new SkillyardError('INPUT_INVALID', message);
}

/** @throws SkillyardError ANSWER_INVALID */
function answersOf({ questions }: OpenQuestion, written: readonly string[]): Json[] {
  // The words of one answer need no quotes.
  const texts = questions.length === 1 ? [written.join(' ')] : written;
  return texts.map((text, index) => {
    const question = questions[index];
    return question === undefined ? text : readAnswer(question, text);
  });
}
