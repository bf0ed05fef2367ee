import type { Command } from 'commander';
import { addSystemOptions, type SystemOptions } from '../queue/as-operator.ts';
import { readTurnId } from '../queue/read-id.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { Attach } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface CancelOptions extends SystemOptions {
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
  attach<CancelOptions>(addSystemOptions(command), async (context, [text = ''], options) => {
    const { surroundings, terminal } = context;
    const turnId = readTurnId(text);
    const { config } = await loadCommandConfig(surroundings, { file: options.config });
    const { withTurnClient } = await import('../queue/with-turn-client.ts');
    const cancelled = await withTurnClient(surroundings, config, options.redis, (client) =>
      client.cancelTurn(turnId, options.reason),
    );
    if (terminal.json) terminal.document({ turnId, cancelled });
    else terminal.err(cancelled ? `turn ${turnId} is being cancelled` : `turn ${turnId} had ended already`);
    return EXIT.completed;
  });
}
