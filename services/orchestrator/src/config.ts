import { parseArgs } from 'node:util';
import { SkillyardError } from '@skillyard/contracts';
import { type LoadedConfig, loadConfig, redisUrl } from '@skillyard/runtime';

/** What this process was started with. */
export interface ProcessConfig {
  readonly loaded: LoadedConfig;
  readonly redisUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logLevel: string | undefined;
}

/**
 * Reads the command line and the environment.
 *
 *   --config <file>   the configuration; else SKILLYARD_CONFIG, else skillyard.yaml in the working directory
 *   --redis <url>     else what the configuration says, else REDIS_URL
 *
 * LOG_LEVEL sets the level of the log.
 * @throws SkillyardError INPUT_INVALID, CONFIG_INVALID or FILE_UNREADABLE
 */
export async function readProcessConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<ProcessConfig> {
  const { config: file, redis } = parse(args);
  const loaded = await loadConfig({ file, cwd, env });
  return { loaded, redisUrl: redisUrl(loaded.config, env, redis), env, logLevel: env['LOG_LEVEL'] };
}

function parse(args: readonly string[]): { config?: string | undefined; redis?: string | undefined } {
  try {
    const options = { config: { type: 'string' }, redis: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SkillyardError('INPUT_INVALID', `${reason}. Known are --config <file> and --redis <url>.`, {
      cause: error,
    });
  }
}
