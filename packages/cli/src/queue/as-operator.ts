import type { Command } from 'commander';
import type { Operator } from '@skillyard/queue';
import type { CommandContext } from '../commands/context.ts';
import { loadCommandConfig } from '../commands/load-command-config.ts';

/** Options of every command that looks at a running system. */
export interface SystemOptions {
  readonly config?: string;
  readonly redis?: string;
}

/** Gives a command the options that say which system is meant. */
export function addSystemOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml here')
    .option('--redis <url>', 'default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379');
}

/** Does work as the operator of the system that is meant. */
export async function asOperator<T>(
  { surroundings }: CommandContext,
  options: SystemOptions,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const { config } = await loadCommandConfig(surroundings, { file: options.config });
  const [{ Operator: Acting }, { withConnection }] = await Promise.all([
    import('@skillyard/queue'),
    import('./with-connection.ts'),
  ]);
  return withConnection(surroundings, config, options.redis, (connection) => work(new Acting(connection)));
}

/** Who gives a command: for the trace of a turn. */
export function operatorName({ surroundings: { env } }: CommandContext): string {
  return env['USER'] || env['LOGNAME'] || 'command line';
}
