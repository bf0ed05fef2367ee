import { parseArgs } from 'node:util';
import { type Config, SkillyardError, workerClasses } from '@skillyard/contracts';
import { type LoadedConfig, loadConfig, redisUrl, suggest } from '@skillyard/runtime';

/** What this process was started with. */
export interface ProcessConfig {
  readonly loaded: LoadedConfig;
  /** At least one. */
  readonly classes: readonly string[];
  readonly redisUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logLevel: string | undefined;
  /** Jobs at once of each class; what the configuration says when absent. */
  readonly concurrency?: number;
}

/**
 * Reads the command line and the environment.
 *
 *   --class <class>   `model`, or a class of tools; may be repeated
 *   --concurrency <n> jobs at once of each class; else what the configuration says
 *   --config <file>   the configuration; else SKILLYARD_CONFIG, else skillyard.yaml in the working directory
 *   --redis <url>     else what the configuration says, else REDIS_URL
 *   --metrics-port <n> in place of telemetry.metrics_port; 0 takes a free one
 *
 * LOG_LEVEL sets the level of the log.
 * @throws SkillyardError INPUT_INVALID, CONFIG_INVALID or FILE_UNREADABLE
 */
export async function readProcessConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<ProcessConfig> {
  const flags = parse(args);
  const { class: classes = [], config: file, redis, concurrency, 'metrics-port': metricsPort } = flags;
  const found = await loadConfig({ file, cwd, env });
  const loaded = { ...found, config: withMetricsPort(found.config, metricsPort) };
  checkClasses(classes, loaded.config);
  return {
    loaded,
    classes,
    redisUrl: redisUrl(loaded.config, env, redis),
    env,
    logLevel: env['LOG_LEVEL'],
    ...(concurrency !== undefined && { concurrency: readConcurrency(concurrency) }),
  };
}

/**
 * Checks which jobs a worker is to take.
 * @throws SkillyardError INPUT_INVALID when it is none, or a class that the configuration does not have
 */
export function checkClasses(classes: readonly string[], config: Config): void {
  const known = workerClasses(config);
  if (classes.length === 0) {
    throw new SkillyardError('INPUT_INVALID', `Say which jobs to take: --class, one of ${known.join(', ')}.`);
  }
  for (const one of classes) {
    if (known.includes(one)) continue;
    const message = `The configuration has no class "${one}"; ${suggest(one, known)}`;
    throw new SkillyardError('INPUT_INVALID', message, { details: { class: one } });
  }
}

/**
 * Reads `--concurrency`.
 * @throws SkillyardError INPUT_INVALID
 */
export function readConcurrency(text: string): number {
  const jobs = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (jobs >= 1 && jobs <= MAX_CONCURRENCY) return jobs;
  const message = `--concurrency "${text}" is no whole number from 1 to ${MAX_CONCURRENCY}`;
  throw new SkillyardError('INPUT_INVALID', message);
}

/**
 * Puts `--metrics-port` over what the configuration says.
 * @throws SkillyardError INPUT_INVALID
 */
export function withMetricsPort(config: Config, text: string | undefined): Config {
  if (text === undefined) return config;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) {
    const message = `--metrics-port "${text}" is no port; give a number from 0 to 65535`;
    throw new SkillyardError('INPUT_INVALID', message);
  }
  return { ...config, telemetry: { ...config.telemetry, metrics_port: port } };
}

/** Jobs at once of one class in one process: more of them belong into more processes. */
const MAX_CONCURRENCY = 1000;

interface Flags {
  readonly class?: string[] | undefined;
  readonly config?: string | undefined;
  readonly redis?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly 'metrics-port'?: string | undefined;
}

function parse(args: readonly string[]): Flags {
  try {
    const options = {
      class: { type: 'string', multiple: true },
      config: { type: 'string' },
      redis: { type: 'string' },
      concurrency: { type: 'string' },
      'metrics-port': { type: 'string' },
    } as const;
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${reason}. Known are --class <class>, --concurrency <n>, --config <file>, --redis <url> and --metrics-port <n>.`;
    throw new SkillyardError('INPUT_INVALID', message, { cause: error });
  }
}
