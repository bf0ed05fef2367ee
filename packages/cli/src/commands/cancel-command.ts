import type { Command } from 'commander';
import { readTurnId } from '../queue/read-id.ts';
import { addReachOptions, type ReachOptions, withSystem } from '../system/with-system.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { Attach } from './context.ts';

interface CancelOptions extends ReachOptions {
  readonly reason?: string;
}

/** `skillyard cancel`: ends a turn. */
export function addCancel(program: Command, attach: Attach): void {
  const command = program
    .command('cancel')
    .summary('cancel a turn')
    .description('Asks for a turn to be cancelled: running work is aborted, queued work is dropped.')
    .argument('<turn-id>', 'as `submit` printed it')
    .option('--reason <text>', 'why, for whoever reads how the turn ended');
  attach<CancelOptions>(addReachOptions(command), async (context, [text = ''], options) => {
    const { terminal } = context;
    const turnId = readTurnId(text);
    const cancelled = await withSystem(context, options, (system) => system.cancel(turnId, options.reason));
    if (terminal.json) terminal.document({ turnId, cancelled });
    else terminal.err(cancelled ? `turn ${turnId} is being cancelled` : `turn ${turnId} had ended already`);
    return EXIT.completed;
  });
}
