import type { Command } from 'commander';
import { followTurn, printUnwatched } from '../queue/follow-turn.ts';
import { readTurnId } from '../queue/read-id.ts';
import { reportTurn } from '../terminal/report-turn.ts';
import type { Attach } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface WatchOptions {
  readonly config?: string;
  readonly redis?: string;
}

/** `skillyard watch`: follows a submitted turn to its end. */
export function addWatch(program: Command, attach: Attach): void {
  const command = program
    .command('watch')
    .summary('follow a submitted turn')
    .description(
      'Follows a submitted turn to its end and prints as `run` does. Ctrl-C ends the watching, not the turn.',
    )
    .argument('<turn-id>', 'as `submit` printed it')
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml here')
    .option('--redis <url>', 'default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379');
  attach<WatchOptions>(command, async (context, [text = ''], options) => {
    const id = readTurnId(text);
    const { config } = await loadCommandConfig(context.surroundings, { file: options.config });
    const { withTurnClient } = await import('../queue/with-turn-client.ts');
    return withTurnClient(context.surroundings, config, options.redis, async (client) => {
      const report = await followTurn(client, id, context);
      return report === null ? printUnwatched(id, context) : reportTurn(context.terminal, report);
    });
  });
}
