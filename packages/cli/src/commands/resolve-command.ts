import { SkillyardError } from '@skillyard/contracts';
import type { Remedy } from '@skillyard/queue';
import type { Command } from 'commander';
import { addSystemOptions, asOperator, operatorName, type SystemOptions } from '../queue/as-operator.ts';
import { readJobId } from '../queue/read-id.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { Attach } from './context.ts';

interface ResolveOptions extends SystemOptions {
  readonly value?: string;
  readonly rerun?: boolean;
}

/** `skillyard resolve`: decides about a job whose outcome nobody knows. */
export function addResolve(program: Command, attach: Attach): void {
  const command = program
    .command('resolve')
    .summary('give a failed job its result, or run it again knowingly')
    .description(
      'Decides about a job that ended its turn, such as a call whose worker died in it: with --value it is as if it had ' +
        'given this text; with --rerun it is run again, whatever that repeats. The turn goes on from there.',
    )
    .argument('<job-id>', 'as `skillyard failed` prints it')
    .option('--value <text>', 'the result of the job; empty for nothing')
    .option('--rerun', 'run it again, also if it may have run');
  attach<ResolveOptions>(addSystemOptions(command), async (context, [text = ''], options) => {
    const { terminal } = context;
    const jobId = readJobId(text);
    const remedy = readRemedy(options);
    const turns = await asOperator(context, options, (operator) =>
      operator.resolve(jobId, remedy, operatorName(context)),
    );
    if (terminal.json) terminal.document({ turns });
    else for (const turnId of turns) terminal.out(turnId);
    return EXIT.completed;
  });
}

function readRemedy({ value, rerun }: ResolveOptions): Exclude<Remedy, { how: 'redrive' }> {
  if (value !== undefined && rerun !== true) return { how: 'value', text: value };
  if (value === undefined && rerun === true) return { how: 'rerun' };
  throw new SkillyardError('INPUT_INVALID', 'resolve takes either --value <text> or --rerun');
}
