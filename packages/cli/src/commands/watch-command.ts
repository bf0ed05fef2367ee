import type { Command } from 'commander';
import { readTurnId } from '../queue/read-id.ts';
import { followTurn, printUnwatched } from '../system/follow-turn.ts';
import { addReachOptions, type ReachOptions, withSystem } from '../system/with-system.ts';
import { reportTurn } from '../terminal/report-turn.ts';
import type { Attach } from './context.ts';

/** `skillyard watch`: follows a submitted turn to its end. */
export function addWatch(program: Command, attach: Attach): void {
  const command = program
    .command('watch')
    .summary('follow a submitted turn')
    .description(
      'Follows a submitted turn to its end and prints as `run` does. Ctrl-C ends the watching, not the turn.',
    )
    .argument('<turn-id>', 'as `submit` printed it');
  attach<ReachOptions>(addReachOptions(command), async (context, [text = ''], options) => {
    const id = readTurnId(text);
    return withSystem(context, options, async (system) => {
      const report = await followTurn(system, id, context);
      return report === null ? printUnwatched(id, context) : reportTurn(context.terminal, report);
    });
  });
}
