import { SkillyardError } from '@skillyard/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../commands/context.ts';
import { loadCommandConfig } from '../commands/load-command-config.ts';
import type { RunningSystem } from './running-system.ts';

/** Which system is meant. */
export interface ReachOptions {
  readonly api?: string;
  readonly config?: string;
  readonly redis?: string;
}

/** Gives a command the options that say which system is meant, and how to reach it. */
export function addReachOptions(command: Command): Command {
  return command
    .option('--api <url>', 'over the HTTP API, with the key in SKILLYARD_API_KEY; default: SKILLYARD_API_URL')
    .option('-c, --config <file>', 'configuration; default: skillyard.yaml here, or beside the skill')
    .option(
      '--redis <url>',
      'over Redis; default: redis.url of the configuration, REDIS_URL, redis://127.0.0.1:6379',
    );
}

/**
 * Does work with the system that is meant: over its API when that is named, over its Redis otherwise.
 * @param beside folder of the skill, where a configuration may lie
 * @throws SkillyardError INPUT_INVALID, REDIS_UNAVAILABLE or REDIS_UNSUITABLE
 */
export async function withSystem<T>(
  { surroundings }: CommandContext,
  { api, config: file, redis }: ReachOptions,
  work: (system: RunningSystem) => Promise<T>,
  beside?: string,
): Promise<T> {
  if (api !== undefined && redis !== undefined)
    throw new SkillyardError('INPUT_INVALID', '--api and --redis are two ways to a system; give one of them');
  const { env } = surroundings;
  const url = api ?? (redis === undefined ? env['SKILLYARD_API_URL'] : undefined);
  if (url) {
    const { apiSystem } = await import('./api-system.ts');
    const key = env['SKILLYARD_API_KEY'] || undefined;
    try {
      return await work(apiSystem(url, key));
    } catch (error) {
      throw key === undefined && SkillyardError.is(error, 'UNAUTHENTICATED') ? keyless(url, error) : error;
    }
  }
  const { config } = await loadCommandConfig(surroundings, { file, ...(beside !== undefined && { beside }) });
  const [{ withConnection }, { redisSystem }] = await Promise.all([
    import('../queue/with-connection.ts'),
    import('./redis-system.ts'),
  ]);
  return withConnection(surroundings, config, redis, (connection) => work(redisSystem(connection)));
}

/** The API says which header it wants; whoever gives a command sets a variable. */
function keyless(url: string, cause: SkillyardError): SkillyardError {
  const message = `${url} asks for a key; put one into SKILLYARD_API_KEY. \`skillyard keys create\` makes it, beside the Redis of the system`;
  return new SkillyardError('UNAUTHENTICATED', message, { cause });
}
