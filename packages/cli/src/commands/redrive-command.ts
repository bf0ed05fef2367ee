import { SkillyardError } from '@skillyard/contracts';
import type { Command } from 'commander';
import { addSystemOptions, asOperator, operatorName, type SystemOptions } from '../queue/as-operator.ts';
import { readJobId } from '../queue/read-id.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { Attach } from './context.ts';

interface RedriveOptions extends SystemOptions {
  readonly class?: string;
}

/** `skillyard redrive`: runs failed jobs again and lets their turns go on. */
export function addRedrive(program: Command, attach: Attach): void {
  const command = program
    .command('redrive')
    .summary('run a failed job again, and let its turn go on')
    .description(
      'Runs the job again that ended a turn, or all such jobs of a class, and lets the turns go on from there. ' +
        'A call that must not run twice and may have run is left alone: see `resolve`.',
    )
    .argument('[job-id]', 'as `skillyard failed` prints it')
    .option('--class <name>', 'all failed jobs of this class of workers');
  attach<RedriveOptions>(addSystemOptions(command), async (context, [text], options) => {
    const { terminal } = context;
    const by = operatorName(context);
    const { class: workerClass } = options;
    if ((text === undefined) === (workerClass === undefined))
      throw new SkillyardError('INPUT_INVALID', 'redrive takes either a job id or --class <name>');
    await asOperator(context, options, async (operator) => {
      if (workerClass === undefined) {
        const turns = await operator.redrive(readJobId(text ?? ''), by);
        if (terminal.json) terminal.document({ turns });
        else for (const turnId of turns) terminal.out(turnId);
        return;
      }
      const report = await operator.redriveClass(workerClass, by);
      if (terminal.json) terminal.document(report);
      else for (const jobId of report.redriven) terminal.out(jobId);
      for (const { reason } of report.refused) terminal.err(`left alone: ${reason}`);
      terminal.err(`${report.redriven.length} redriven, ${report.refused.length} left alone`);
    });
    return EXIT.completed;
  });
}
