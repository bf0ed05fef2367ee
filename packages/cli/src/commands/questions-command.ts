import type { OpenQuestion } from '@skillyard/contracts';
import type { Command } from 'commander';
import { questionLines } from '../questions/question-lines.ts';
import { readTurnId } from '../queue/read-id.ts';
import { addReachOptions, type ReachOptions, withSystem } from '../system/with-system.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';
import type { Attach } from './context.ts';

interface QuestionsOptions extends ReachOptions {
  readonly after?: string;
}

/** `skillyard questions`: what turns wait for people to answer. */
export function addQuestions(program: Command, attach: Attach): void {
  const command = program
    .command('questions')
    .summary('list the questions that wait for a person')
    .description(
      'Lists the questions that turns ask people, the one that has waited longest first; or those of one turn. `skillyard answer` answers them.',
    )
    .argument('[turn-id]', 'only those of this turn')
    .option('--after <cursor>', 'go on after a page, as the page before printed it');
  attach<QuestionsOptions>(addReachOptions(command), async (context, [text], options) => {
    const { terminal } = context;
    const turnId = text === undefined ? null : readTurnId(text);
    const page = await withSystem(context, options, (system) =>
      turnId === null ? system.questions(options.after) : system.questionsOf(turnId),
    );
    if (terminal.json) {
      terminal.document(page);
      return EXIT.completed;
    }
    if (page.questions.length === 0) terminal.err('no open questions');
    for (const question of page.questions) print(question, terminal);
    if (page.next !== null) terminal.err(`more: --after ${page.next}`);
    return EXIT.completed;
  });
}

function print(question: OpenQuestion, terminal: Terminal): void {
  const { colors } = terminal;
  const { turnId, jobId, tenant, skill, step, path, askedAtMs, expiresAtMs, questions } = question;
  const name = step === '' ? `step ${path}` : `step "${oneLine(step, 60)}"`;
  const until = expiresAtMs === null ? '' : `, until ${new Date(expiresAtMs).toISOString()}`;
  terminal.out(
    `${colors.bold(turnId)}  ${oneLine(skill, 60)}, ${name}  ${tenant}  asked ${new Date(askedAtMs).toISOString()}${until}`,
  );
  for (const [index, one] of questions.entries()) {
    const [first = '', ...rest] = questionLines(one, terminal);
    terminal.out(`  ${questions.length === 1 ? '' : `${index + 1}) `}${first}`);
    for (const line of rest) terminal.out(`  ${line}`);
  }
  terminal.out(colors.dim(`  ${jobId}`));
}
