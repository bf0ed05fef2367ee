import type { TurnExplanation } from '@skillyard/contracts';
import type { Command } from 'commander';
import { readTurnId } from '../queue/read-id.ts';
import { addReachOptions, type ReachOptions, withSystem } from '../system/with-system.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';
import type { Attach } from './context.ts';

/** `skillyard why`: what a turn waits for. */
export function addWhy(program: Command, attach: Attach): void {
  const command = program
    .command('why')
    .summary('say what a turn waits for')
    .description(
      'Says what a turn waits for: each pending job with its queue, its place in it and what holds it.',
    )
    .argument('<turn-id>', 'as `submit` printed it');
  attach<ReachOptions>(addReachOptions(command), async (context, [text = ''], options) => {
    const id = readTurnId(text);
    const { terminal } = context;
    const turn = await withSystem(context, options, (system) => system.explain(id));
    if (terminal.json) terminal.document(turn);
    else printExplanation(turn, terminal);
    return EXIT.completed;
  });
}

function printExplanation(turn: TurnExplanation, terminal: Terminal): void {
  terminal.out(`turn ${turn.turnId} is ${turn.status}: ${oneLine(turn.why, 500)}`);
  for (const job of turn.jobs)
    terminal.out(`  ${nameOf(job)}: ${job.why}\n    ${terminal.colors.dim(job.jobId)}`);
  if (turn.moreJobs > 0) terminal.out(`  and ${turn.moreJobs} more jobs`);
}

function nameOf({ step, path, kind, target }: TurnExplanation['jobs'][number]): string {
  const name = step === '' ? `step ${path}` : `step "${oneLine(step, 60)}"`;
  return target === '' ? `${name} (${kind})` : `${name} (${kind} ${oneLine(target, 60)})`;
}
