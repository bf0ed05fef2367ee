import { parseArgs } from 'node:util';
import { SkillyardError } from '@skillyard/contracts';
import { workerClasses } from '@skillyard/queue';
import { type LoadedConfig, loadConfig, redisUrl, suggest } from '@skillyard/runtime';

/** What this process was started with. */
export interface ProcessConfig {
  readonly loaded: LoadedConfig;
  /** At least one. */
  readonly classes: readonly string[];
  readonly redisUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logLevel: string | undefined;
}

/**
 * Reads the command line and the environment.
 *
 *   --class <class>   `model`, or a class of tools; may be repeated
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
  const { class: classes = [], config: file, redis } = parse(args);
  const loaded = await loadConfig({ file, cwd, env });
  const known = workerClasses(loaded.config);
  if (classes.length === 0) {
    throw new SkillyardError('INPUT_INVALID', `Say which jobs to take: --class, one of ${known.join(', ')}.`);
  }
  for (const one of classes) {
    if (known.includes(one)) continue;
    const message = `The configuration has no class "${one}"; ${suggest(one, known)}`;
    throw new SkillyardError('INPUT_INVALID', message, { details: { class: one } });
  }
  return { loaded, classes, redisUrl: redisUrl(loaded.config, env, redis), env, logLevel: env['LOG_LEVEL'] };
}

interface Flags {
  readonly class?: string[] | undefined;
  readonly config?: string | undefined;
  readonly redis?: string | undefined;
}

function parse(args: readonly string[]): Flags {
  try {
    const options = {
      class: { type: 'string', multiple: true },
      config: { type: 'string' },
      redis: { type: 'string' },
    } as const;
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${reason}. Known are --class <class>, --config <file> and --redis <url>.`;
    throw new SkillyardError('INPUT_INVALID', message, { cause: error });
  }
}
